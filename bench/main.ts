/** `npm run bench -- COMMAND`: everything that is measured, each by one command. */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from './sets/places.js'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string' },
    scratch: { type: 'string', default: join(repositoryRoot, '.scratch/bench') },
    only: { type: 'string' },
    dump: { type: 'string' },
    'leave-one-out': { type: 'boolean' },
    train: { type: 'boolean', default: false },
    rerank: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '180' },
    pause: { type: 'string', default: '1000' },
    files: { type: 'string', default: '5000' },
  },
})

const [command] = positionals
const scratch = values.scratch
const sets = (fallback: string) => (values.sets ?? fallback).split(',')

switch (command) {
  case 'train': {
    const { trainCommand } = await import('./learning/train-command.js')
    await trainCommand({ sets: sets('code-search,words,cosqa,scifact-train,issues'), scratch })
    break
  }
  case 'pools': {
    const { dumpPools } = await import('./learning/dump-pools.js')
    await dumpPools({
      sets: sets('code-search'),
      scratch,
      stages: (values.only ?? 'first').split(','),
      directory: values.dump ?? scratch,
    })
    break
  }
  case 'shown-chunks': {
    const { measureShownChunks } = await import('./learning/shown-chunks.js')
    await measureShownChunks(scratch)
    break
  }
  case 'evaluate': {
    const { evaluate, VARIANTS } = await import('./evaluate.js')
    const variants = values.only?.split(';') ?? VARIANTS.map(({ name }) => name)
    await evaluate({ sets: sets('code-search,cosqa,scifact-test,codescout'), variants, scratch })
    break
  }
  case 'history': {
    if (values['leave-one-out']) {
      const { leaveOneOut } = await import('./history/leave-one-out.js')
      await leaveOneOut({ repositories: values.sets?.split(',') ?? null, scratch })
      break
    }
    const { evaluateHistory } = await import('./history/evaluate-history.js')
    await evaluateHistory({
      variants: values.only?.split(';') ?? null,
      repositories: values.sets?.split(',') ?? null,
      scratch,
    })
    break
  }
  case 'notes': {
    const { evaluateNotes } = await import('./notes/evaluate-notes.js')
    await evaluateNotes({ scratch, isTraining: values.train, reranks: values.rerank })
    break
  }
  case 'balance': {
    const { measureBalance } = await import('./history/balance.js')
    await measureBalance(scratch)
    break
  }
  case 'history-speed': {
    const { measureHistorySpeed } = await import('./history/speed-history.js')
    await measureHistorySpeed(sets('psf/requests'), scratch)
    break
  }
  case 'multi-query': {
    const { evaluateMultiQuery } = await import('./multi-query/evaluate-multi-query.js')
    const variants = values.only?.split(';') ?? null
    await evaluateMultiQuery({ sets: sets('cosqa,scifact-test,code-search'), variants, scratch })
    break
  }
  case 'dead-endpoint': {
    const { measureDeadEndpoint } = await import('./multi-query/measure-dead-endpoint.js')
    await measureDeadEndpoint(scratch)
    break
  }
  case 'speed': {
    const { measureSpeed } = await import('./speed/measure-speed.js')
    await measureSpeed(scratch, values.only)
    break
  }
  case 'embedding-settings': {
    const { compareSettings } = await import('./speed/embedding-settings.js')
    await compareSettings(scratch, values.only)
    break
  }
  case 'notes-speed': {
    const { measureNotesSpeed } = await import('./notes-speed.js')
    await measureNotesSpeed(scratch)
    break
  }
  case 'mcp-start': {
    const { measureStart } = await import('./start.js')
    await measureStart(scratch)
    break
  }
  case 'agents': {
    const { measureAgents } = await import('./agents/measure-agents.js')
    await measureAgents({
      sets: sets('code-search,issues'),
      scratch,
      only: values.only?.split(',') ?? null,
    })
    break
  }
  case 'mcp-speed': {
    const { measureMcpSpeed } = await import('./mcp-speed.js')
    await measureMcpSpeed(scratch, Number(values.files))
    break
  }
  case 'load': {
    const { measureLoad } = await import('./load/measure-load.js')
    const { seconds, pause, files } = values
    await measureLoad({
      ...{ scratch, seconds: Number(seconds), pauseMs: Number(pause), files: Number(files) },
      ...{ http: 16, stdio: 4 },
    })
    break
  }
  case 'redactions': {
    const { measureRedactions } = await import('./redactions.js')
    await measureRedactions(scratch)
    break
  }
  case 'tables': {
    const { writeTables } = await import('./report/write-tables.js')
    await writeTables()
    break
  }
  default:
    console.error(
      'usage: npm run bench -- train|pools|shown-chunks|evaluate|history|history-speed|notes|notes-speed|multi-query|dead-endpoint|balance|speed|embedding-settings|mcp-start|redactions|agents|mcp-speed|load|tables [--sets a,b] [--scratch DIR]',
    )
    process.exitCode = 2
}
