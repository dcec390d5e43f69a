/** `quarry doctor`: looks at everything that can be wrong and says what to type. */

import type { Store } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { Finding } from './api.js'
import type { Embedders } from './embedders.js'
import type { Expanders } from './expanders.js'
import type { History } from './history.js'
import type { OpenModels } from './models.js'
import type { OpenNotes } from './notes/notes.js'
import type { Shelf } from './shelf.js'
import { modelsNeeded, worthOfCode } from './worth-models.js'

export interface DiagnoseParts {
  readonly deep: boolean
  readonly directory: string
  /** Of the code. */
  readonly shelf: Shelf
  readonly history: History
  readonly notes: OpenNotes
  readonly settings: Settings
  readonly models: OpenModels
  readonly embedders: Embedders
  readonly expanders: Expanders
}

export const diagnose = async (parts: DiagnoseParts): Promise<readonly Finding[]> => [
  runtime(),
  ...(await indexFindings('index', parts.shelf.store, parts.deep)),
  ...(await historyFindings(parts)),
  ...(await notesFindings(parts)),
  await grammars(),
  await staticTable(parts),
  ...(await embeddingModels(parts)),
  await parts.expanders.finding(parts.deep),
]

const runtime = (): Finding => ({
  subject: 'runtime',
  state: 'ok',
  message: `Node ${process.versions.node} on ${process.platform} ${process.arch}`,
})

/** Whether git can be asked, what is not there to be read, and whether its index is sound. */
const historyFindings = async ({ history, deep }: DiagnoseParts): Promise<readonly Finding[]> => {
  const subject = 'history'
  if (!history.isThere()) return [{ subject, state: 'ok', message: 'no git repository here' }]
  try {
    const { facts } = await history.repository()
    const at = facts.head === null ? 'no commit yet' : `at ${facts.head.slice(0, 12)}`
    const limits = facts.limits.map((message): Finding => ({ subject, state: 'warning', message }))
    const repository: Finding = { subject, state: 'ok', message: `git reads the repository, ${at}` }
    return [repository, ...limits, ...(await indexOfHistory(history, deep))]
  } catch (error) {
    return [failed(subject, error, 'quarry index --no-history'), ...(await indexOfHistory(history, deep))]
  }
}

const indexOfHistory = async ({ shelf }: History, deep: boolean): Promise<readonly Finding[]> => {
  const subject = 'index of history'
  try {
    return (await shelf.openIfThere()) === null ? [] : await indexFindings(subject, shelf.store, deep)
  } catch (error) {
    return [failed(subject, error, 'quarry index --rebuild')]
  }
}

/** Damage of the notebook is never mended by throwing anything away: first all that can be read is saved. */
const notesFindings = async ({ notes, deep }: DiagnoseParts): Promise<readonly Finding[]> => {
  const subject = 'notes'
  const hint = 'quarry notes export saved.jsonl, which saves whatever can be read'
  if (!notes.notebook.isThere()) return [{ subject, state: 'ok', message: 'nothing was noted here' }]
  try {
    const faults = await notes.notebook.check(deep)
    if (faults.length > 0)
      return faults.map((message): Finding => ({ subject, state: 'error', message, hint }))
    const count = (await notes.notebook.list()).length
    const read = deep ? ', every one was read' : ''
    const isIndexed = (await notes.shelf.openIfThere()) !== null
    const sound = isIndexed ? await indexFindings('index of notes', notes.shelf.store, deep) : []
    return [{ subject, state: 'ok', message: `${count} in the notebook${read}` }, ...sound]
  } catch (error) {
    return [failed(subject, error, hint)]
  }
}

const indexFindings = async (subject: string, store: Store, deep: boolean): Promise<readonly Finding[]> => {
  try {
    const faults = await store.check(deep)
    if (faults.length === 0)
      return [
        {
          subject,
          state: 'ok',
          message: deep ? 'every page was read' : 'opens and its counts agree',
        },
      ]
    return faults.map(message => ({
      subject,
      state: 'error',
      message,
      hint: 'quarry index --rebuild',
    }))
  } catch (error) {
    return [failed(subject, error, 'quarry index')]
  }
}

/** Files that were cut without their grammar stay so until they change: a new installation alone does not mend the index. */
export const GRAMMAR_HINT = 'npm install -g quarry, then: quarry index --rebuild'

const grammars = async (): Promise<Finding> => {
  const subject = 'grammars'
  try {
    const { brokenGrammars } = await import('../adapters/chunkers/tree-sitter/index.js')
    const broken = await brokenGrammars()
    if (broken.length === 0) return { subject, state: 'ok', message: 'every language can be parsed' }
    const message = `${broken.join(', ')} cannot be parsed: such files are cut at lines and have no symbols`
    return { subject, state: 'warning', message, hint: GRAMMAR_HINT }
  } catch (error) {
    return failed(subject, error, GRAMMAR_HINT)
  }
}

const staticTable = async ({ embedders }: DiagnoseParts): Promise<Finding> => {
  try {
    await embedders.quick.embed(['a word'], 'passage')
    return { subject: 'static table', state: 'ok', message: embedders.quick.id }
  } catch (error) {
    return failed('static table', error, 'npm install -g quarry')
  }
}

/** Loads each model and embeds a sentence: nothing less shows that it works. */
const embeddingModels = async (parts: DiagnoseParts): Promise<readonly Finding[]> => {
  const { settings, models, embedders } = parts
  const needed = await neededModels(parts)
  const findings: Finding[] = []
  for (const model of settings.embedding.models) {
    const hint = `quarry models pull ${model}`
    try {
      if ((await models.store.locate(model)) === null) {
        findings.push(
          needed.includes(model)
            ? {
                ...{ subject: 'model', state: 'warning', hint },
                message: `${model} is not here: answers come without its vectors`,
              }
            : {
                subject: 'model',
                state: 'ok',
                message: `${model} is not here: only notes and many short files need it`,
              },
        )
        continue
      }
      const embedder = await embedders.open(model, 'questions')
      const [vector] = (await embedder?.embed(['a sentence'], 'passage')) ?? []
      findings.push(
        vector
          ? { subject: 'model', state: 'ok', message: `${model} answers with ${vector.length} dimensions` }
          : {
              subject: 'model',
              state: 'error',
              message: `${model} gave no vector`,
              hint: `quarry models verify ${model}`,
            },
      )
    } catch (error) {
      findings.push(failed('model', error, hint))
    }
  }
  return findings
}

/** By the code, or by notes. An index that cannot be read has a finding of its own. */
const neededModels = async ({ settings, shelf, notes }: DiagnoseParts): Promise<readonly string[]> => {
  if (notes.notebook.isThere()) return settings.embedding.models
  const state = await shelf
    .openIfThere()
    .then(reader => reader?.state() ?? null)
    .catch(() => null)
  return modelsNeeded(settings, worthOfCode(settings), state)
}

const failed = (subject: string, error: unknown, hint: string): Finding => ({
  subject,
  state: 'error',
  message: error instanceof Error ? error.message : String(error),
  hint: (error as { hint?: string }).hint ?? hint,
})
