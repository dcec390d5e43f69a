/** Keeps what was measured: one JSON line for each result, with everything needed to measure it again. */

import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { thisMachine } from '#dist/measuring/report/machine.js'
import { git } from '../sets/git.js'
import { repositoryRoot } from '../sets/places.js'

const resultLine = z.object({
  name: z.string().regex(/^[\w-]+$/),
  command: z.string(),
  commit: z.string(),
  dataHash: z.string(),
  machine: z.object({ cores: z.number(), cpu: z.string(), node: z.string(), memoryGB: z.number() }),
  date: z.string(),
  config: z.record(z.string(), z.json()),
  metrics: z.record(z.string(), z.number()),
  n: z.number().int(),
})

export type ResultLine = Readonly<z.infer<typeof resultLine>>

/** What the experiment knows; the rest is filled in here. */
export type Measured = Omit<ResultLine, 'commit' | 'machine' | 'date'>

/** Appends to `<results>/<name>.jsonl` and answers the whole line. */
export const appendResult = async (
  repository: string,
  results: string,
  measured: Measured,
): Promise<ResultLine> => {
  const line = resultLine.parse({
    ...measured,
    commit: await commitOf(repository),
    machine: thisMachine(),
    date: new Date().toISOString(),
  })
  await mkdir(results, { recursive: true })
  await appendFile(join(results, `${line.name}.jsonl`), `${JSON.stringify(line)}\n`)
  return line
}

/** The same for what the running command measured, among the results of this repository. */
export const recordResult = (measured: Omit<Measured, 'command'>): Promise<ResultLine> =>
  appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    ...measured,
    command: commandLine(process.argv.slice(2)),
  })

/** All lines of one name, oldest first; none when nothing was measured yet. */
export const readResults = async (results: string, name: string): Promise<ResultLine[]> => {
  const text = await readFile(join(results, `${name}.jsonl`), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    },
  )
  const lines = text.split('\n').filter(line => line !== '')
  return lines.map(line => resultLine.parse(JSON.parse(line)))
}

/** The command as anyone could type it: a directory of this machine is replaced by three dots. */
export const commandLine = (args: readonly string[]): string =>
  ['npm run bench --', ...args.map(hidePath)].join(' ')

const hidePath = (argument: string): string => argument.replace(/^(--[\w-]+=)?(?:\/|[A-Za-z]:\\|~).*$/, '$1…')

/** HEAD, with `-dirty` while anything but measured results differs from it. */
const commitOf = async (repository: string): Promise<string> => {
  // Whoever owns the checkout: asking for its state is harmless.
  const here = ['-c', 'safe.directory=*', '-C', repository]
  const head = (await git([...here, 'rev-parse', 'HEAD'])).toString('utf8').trim()
  const changes = await git([...here, 'status', '--porcelain', '--', '.', ':(exclude)bench/results'])
  return changes.length > 0 ? `${head}-dirty` : head
}
