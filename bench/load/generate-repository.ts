/** A repository made up for the load test: many small files, and for each client one with a word that is nowhere else. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A word that no other client of the same or another repository has. */
export const nonceOf = (repository: string, client: number): string =>
  `zq${(client * 7_919 + repository.length * 104_729).toString(36)}${repository.slice(0, 2)}x`

export const ownPath = (client: number): string => `own/client${client}.ts`

export const generateRepository = (directory: string, files: number): void => {
  rmSync(directory, { recursive: true, force: true })
  for (let number = 0; number < files; number++) {
    const folder = join(directory, `src/part${number % 50}`)
    if (number < 50) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file${number}.ts`), commonFile(number, 0))
  }
  mkdirSync(join(directory, 'own'), { recursive: true })
  spawnSync('git', ['init', '-q', directory])
}

/** Writes some of the common files anew. */
export const touchFiles = (directory: string, numbers: readonly number[], version: number): void => {
  for (const number of numbers)
    writeFileSync(join(directory, `src/part${number % 50}/file${number}.ts`), commonFile(number, version))
}

/** Every line of the file names its version, so that an answer made of two versions shows. Replaced whole, as editors do. */
export const writeOwn = (directory: string, client: number, nonce: string, version: number): void => {
  const lines = Array.from({ length: 8 }, (_, line) => `  steps.push('${nonce} step ${line} v${version}')`)
  const text = `export function ${nonce}(steps: string[]) { // v${version}\n${lines.join('\n')}\n  return steps // v${version}\n}\n`
  const path = join(directory, ownPath(client))
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

const WORDS = [
  'request',
  'session',
  'invoice',
  'parser',
  'router',
  'cache',
  'token',
  'worker',
  'schema',
  'queue',
]
const VERBS = [
  'open',
  'read',
  'merge',
  'retry',
  'encode',
  'close',
  'render',
  'validate',
  'collect',
  'resolve',
]

const commonFile = (number: number, version: number): string => {
  const word = (step: number) => WORDS[(number + step * 3) % WORDS.length]!
  const verb = (step: number) => VERBS[(number * 7 + step) % VERBS.length]!
  const name = `${verb(0)}${capital(word(1))}${number}`
  return [
    `/** ${capital(verb(0))}s the ${word(1)} of part ${number} and hands it to the ${word(2)}. */`,
    `export const ${name} = async (${word(1)}: ${capital(word(1))}, ${word(2)}: ${capital(word(2))}) => {`,
    `  const ${word(3)} = await ${verb(1)}(${word(1)}, ${version})`,
    `  if (!${word(3)}.ok) throw new Error('no ${word(3)} for ${word(1)} ${number}')`,
    `  for (const item of ${word(3)}.items) ${word(2)}.${verb(2)}(item)`,
    `  return ${word(2)}.${verb(3)}()`,
    '}',
    '',
  ].join('\n')
}

const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`
