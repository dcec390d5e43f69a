/** Every command with its flags. Strict: what is not known is an error with a suggestion, never ignored. */

import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { addBenchCommand } from './bench-command.js'
import type { Verb } from './commands/search.js'
import {
  addCommonFlags,
  addMultiQueryFlags,
  addSearchFlags,
  collectNames,
  moment,
  wholeNumber,
} from './flags.js'
import { addNoteCommands } from './note-commands.js'
import type { Terminal } from './terminal.js'

/** What a command needs besides its flags. */
export interface Surroundings {
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export const buildProgram = (surroundings: Surroundings, finish: (exitCode: number) => void): Command => {
  const program = new Command('quarry')
    .description('Ask a repository anything: local-first search over code, its history and notes.')
    .version(version(), '-V, --version')
    .exitOverride()
    // Errors are rendered in one place, `fail.ts`; what the parser would print itself is dropped.
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', AFTERWORD)
    .showSuggestionAfterError()

  const define = (name: string, description: string): Command =>
    program.command(name).description(description)

  addProgressFlags(addCommonFlags(define('index [path]', 'read the work tree into the index')))
    .addOption(new Option('--fast', 'stop when text and quick vectors answer').conflicts('wait'))
    .option('--wait', 'wait until every vector is made')
    .option('--rebuild', 'start from nothing')
    .option('--no-history', 'leave the git history as it is')
    .option('--notes', 'nothing but the notes')
    .option(
      '--refs <names>',
      'which branches and tags of the history; repeat it or separate by commas',
      collectNames,
    )
    .option('--since <when>', 'only commits since: 30d, 2024-05-01, "last month"', moment('since'))
    .option('--max-commits <n>', 'only the newest so many commits', wholeNumber(1, 100_000_000))
    .option('--trust', 'read the repository although another user owns it')
    .action(async (path, flags) => {
      const { runIndex } = await import('./commands/index.js')
      finish(await runIndex(path, flags, surroundings))
    })

  const question = (verb: Verb, description: string): void => {
    const command = addMultiQueryFlags(addSearchFlags(define(`${verb} [question]`, description)))
    if (verb === 'find')
      command.addOption(
        new Option('--lines <side>', 'look at nothing but these lines of the changes').choices([
          'added',
          'removed',
        ]),
      )
    command
      .option(
        '--queries <file>',
        'ask every line of a file (.jsonl: {"id","query"}), - for stdin; one JSON answer a line',
      )
      .action(async (asked, flags) => {
        const { runSearch } = await import('./commands/search.js')
        finish(await runSearch(verb, asked, flags, surroundings))
      })
  }
  question('search', 'find code; indexes first what was never indexed')
  question('find', 'find commits: how was it done before, and why')
  question('ask', 'code, history and notes in one ranking')

  addNoteCommands(define, surroundings, finish)

  addExplainFlags(
    addCommonFlags(define('explain [place]', 'why lines look the way they do: FILE[:A-B]')),
  ).action(async (place, flags) => {
    const { runExplain } = await import('./commands/explain.js')
    finish(await runExplain(place, flags, surroundings))
  })

  addSearchFlags(define('similar [place]', 'find code like the code at FILE:LINE'))
    .option('--id <id>', 'the id of a hit instead of a place')
    .action(async (place, flags) => {
      const { runSimilar } = await import('./commands/similar.js')
      finish(await runSimilar(place, flags, surroundings))
    })

  addCommonFlags(define('status', 'what the index holds, and what was left out'))
    .option('--skipped', 'list every file that was left out, with the reason')
    .action(async flags => {
      const { runStatus } = await import('./commands/status.js')
      finish(await runStatus(flags, surroundings))
    })

  addCommonFlags(define('watch', 'keep the index up to date until interrupted'))
    .option('--trust', 'read the repository although another user owns it')
    .action(async flags => {
      const { runWatch } = await import('./commands/watch.js')
      finish(await runWatch(flags, surroundings))
    })

  addCommonFlags(define('doctor', 'look at everything that can be wrong'))
    .option('--deep', 'read the whole index')
    .action(async flags => {
      const { runDoctor } = await import('./commands/doctor.js')
      finish(await runDoctor(flags, surroundings))
    })

  addCommonFlags(define('config [key]', 'show the settings in force'))
    .option('--show-origin', 'say where each value came from')
    .action(async (key, flags) => {
      const { runConfig } = await import('./commands/config.js')
      finish(await runConfig(key, flags, surroundings))
    })

  addBenchCommand(define, surroundings, finish, version)

  addModels(define('models', 'the models on this machine'), surroundings, finish)

  addCommonFlags(define('init', 'git hooks that keep the index up to date behind git'))
    .addOption(new Option('--remove', 'take them out again').conflicts('refresh'))
    .addOption(new Option('--dry-run', 'say what would be written').conflicts('refresh'))
    .addOption(new Option('--refresh', 'what the hooks start').hideHelp())
    .addOption(
      new Option('--agents', 'instead of hooks: lines in AGENTS.md that tell agents how to search').conflicts(
        'refresh',
      ),
    )
    .action(async flags => {
      if (flags.agents) {
        const { runInitAgents } = await import('./commands/init-agents.js')
        finish(await runInitAgents(flags, surroundings))
        return
      }
      const { runInit } = await import('./commands/init.js')
      finish(await runInit(flags, surroundings))
    })

  addMcp(define('mcp', 'serve coding agents over stdin and stdout'), surroundings, finish)

  addServerFlags(define('serve', 'serve coding agents over HTTP'))
    .option(
      '--host <address>',
      'where to listen; elsewhere than on this machine a token is needed',
      '127.0.0.1',
    )
    .option('--port <n>', '0 takes a free one', wholeNumber(0, 65_535), 7337)
    .option('--token-file <file>', 'clients must send its word as a bearer token')
    .option('--allow-host <name...>', 'further names that clients reach it by')
    .option('--json', 'print JSON')
    .action(async flags => {
      const { runServe } = await import('./commands/serve.js')
      finish(await runServe(flags, surroundings))
    })

  addCommonFlags(define('purge', 'delete the index of this directory'))
    .option('--yes', 'do not ask')
    .option('--expansions', 'instead: delete the kept rewrites of questions, of every directory')
    .action(async flags => {
      const { runPurge } = await import('./commands/purge.js')
      finish(await runPurge(flags, surroundings))
    })

  return program
}

const addModels = (models: Command, surroundings: Surroundings, finish: (exitCode: number) => void): void => {
  const define = (
    action: 'list' | 'pull' | 'verify' | 'remove',
    argument: string,
    description: string,
  ): void => {
    addCommonFlags(models.command(`${action}${argument}`).description(description)).action(
      async (...given) => {
        const { runModels } = await import('./commands/models.js')
        const [name, flags] = argument === '' ? [undefined, given[0]] : given
        finish(await runModels(action, name, flags, surroundings))
      },
    )
  }
  define('list', '', 'which models there are, and which are here')
  define('pull', ' [name]', 'download a model (default: every one that the settings choose)')
  define('verify', ' [name]', 'read every byte of a model (default: of all that are here)')
  define('remove', ' <name>', 'delete a downloaded model')
  addCommonFlags(
    models
      .command('pin <name> <directory>')
      .description('hash the files of a model that you have, and print what to write into your settings'),
  ).action(async (name, directory, flags) => {
    const { runPin } = await import('./commands/pin.js')
    finish(await runPin(name, directory, flags, surroundings))
  })
}

const addServerFlags = (command: Command): Command =>
  command
    .option('--repo <dir...>', 'the directories that agents may search (default: the working directory)')
    .option('--offline', 'never open a network connection')

const addMcp = (mcp: Command, surroundings: Surroundings, finish: (exitCode: number) => void): void => {
  addServerFlags(mcp).action(async flags => {
    const { runMcp } = await import('./commands/mcp.js')
    finish(await runMcp(flags, surroundings))
  })
  const define = (action: 'install' | 'uninstall', description: string): Command =>
    mcp
      .command(`${action} [client]`)
      .description(description)
      .option('--global', 'in the settings of the user, for every project')
      .option('--dry-run', 'show what would change, write nothing')
      .option('--json', 'print JSON')
      .addOption(new Option('--color <when>', 'colour').choices(['auto', 'always', 'never']).default('auto'))
      .action(async (client, flags) => {
        const { runMcpInstall } = await import('./commands/mcp-install.js')
        finish(await runMcpInstall(action, client, flags, surroundings))
      })
  define('install', 'register with claude-code, cursor, vscode, codex, zed or gemini').option(
    '--print',
    'print what to paste instead of writing it',
  )
  define('uninstall', 'take it out again')
}

const addExplainFlags = (command: Command): Command =>
  command
    .option('--at <rev>', 'the version of a branch, tag or commit instead of the work tree')
    .option(
      '-k, --limit <n>',
      'how many exact commits, and how many related ones, 1 to 20',
      wholeNumber(1, 20),
    )
    .option('-w, --ignore-whitespace', 'pass over commits that changed white space only')
    .option('--no-related', 'only what is exact')
    .addOption(
      new Option('--format <name>', 'how to print').choices(['text', 'json', 'markdown']).conflicts('json'),
    )
    .addOption(
      new Option('--detail <amount>', 'how much of each commit')
        .choices(['compact', 'normal', 'full'])
        .default('normal'),
    )
    .option('--trust', 'read the repository although another user owns it')

const addProgressFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--progress <how>', 'progress on stderr')
        .choices(['auto', 'json', 'plain', 'none'])
        .default('auto'),
    )
    .option('--quiet', 'say nothing but errors')

const version = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

const AFTERWORD = `
Examples:
  quarry search "where are requests retried"
  quarry search parseUrl -k 5 --language typescript --path 'src/**'
  quarry find "how were retries done before" --since 2y
  quarry explain src/http/retry.ts:10-20
  quarry remember "staging listens on port 5433" && quarry recall "which port has staging"
  quarry similar src/http/retry.ts:42

Exit codes: 0 found, 1 nothing found, 2 error, 74 disk full, 75 another indexer is at work, 130 interrupted.`
