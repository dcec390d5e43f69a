/** Texts to fit the table to: pieces of code, comments and commit subjects of git repositories. No question and no label of
 * any benchmark is among them. */

import { spawn } from 'node:child_process'

export interface TextCounts {
  readonly pieces: number
  readonly comments: number
  readonly subjects: number
}

const SOURCE =
  /\.(?:py|rs|kt|java|[cm]?[jt]sx?|cs|php|rb|scala|hs|swift|exs?|[ch](?:pp)?|cc|go|md|rst|adoc|lua|sh|sql|toml|ya?ml)$/
const UNWANTED = /node_modules|vendor|testdata|fixtures|\.min\.|locale\//
const COMMENT = /^\s*(?:\/\/+|#+|\*+|\/\*+|--|"""|'''|;;)\s?(.*)$/
const SENTENCE = /[a-z]{3,} [a-z]{2,} [a-z]{2,}/i
/** About as long as what the teacher reads of a text, so that both see the same words. */
const PIECE_CHARACTERS = 480
const LARGEST_FILE = 150_000

/** The same texts for the same repository and the same random numbers. */
export async function repositoryTexts(
  repository: string,
  counts: TextCounts,
  random: () => number,
): Promise<string[]> {
  const pieces: string[] = []
  for await (const [path, text] of sourceFiles(repository)) pieces.push(...cut(path, text))
  shuffle(pieces, random)
  const comments = shuffle(pieces.slice(0, 6_000).flatMap(commentOf), random)
  const subjects = shuffle(await commitSubjects(repository), random)
  return [
    ...pieces.slice(0, counts.pieces),
    ...comments.slice(0, counts.comments),
    ...subjects.slice(0, counts.subjects),
  ]
}

/** File by file, because a mirror may lack some of its objects. */
async function* sourceFiles(repository: string): AsyncGenerator<readonly [string, string]> {
  const listing = await git(repository, ['ls-tree', '-r', '-l', '-z', 'HEAD'])
  const wanted = listing
    .toString('utf8')
    .split('\0')
    .map(line => /^\d+ blob (\S+) +(\d+)\t(.*)$/s.exec(line) ?? [])
    .filter(
      ([, , size, path]) => path && SOURCE.test(path) && !UNWANTED.test(path) && Number(size) <= LARGEST_FILE,
    )
  const objects = wanted.map(([, object]) => `${object}\n`).join('')
  const contents = await git(repository, ['cat-file', '--batch'], objects)
  let place = 0
  for (const [, , , path = ''] of wanted) {
    const lineEnd = contents.indexOf(10, place)
    const size = /^\S+ blob (\d+)$/.exec(contents.toString('latin1', place, lineEnd))?.[1]
    place = lineEnd + 1
    if (size === undefined) continue
    yield [path, contents.toString('utf8', place, place + Number(size))]
    place += Number(size) + 1
  }
}

function cut(path: string, text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  const end = () => {
    if (piece.trim().length > 80) pieces.push(`${path}\n${piece}`)
    piece = ''
  }
  for (const line of text.split('\n')) {
    if (line.length > 400) continue
    if (piece.length + line.length > PIECE_CHARACTERS) end()
    piece += `${line}\n`
    if (!line.trim() && piece.length > 0.7 * PIECE_CHARACTERS) end()
  }
  end()
  return pieces
}

function commentOf(piece: string): string[] {
  const lines = piece
    .split('\n')
    .slice(1)
    .map(line => COMMENT.exec(line)?.[1] ?? '')
    .filter(line => SENTENCE.test(line))
  return lines.length > 0 ? [lines.slice(0, 3).join(' ').slice(0, 240)] : []
}

async function commitSubjects(repository: string): Promise<string[]> {
  const log = await git(repository, ['log', '-2000', '--no-merges', '--format=%s'])
  const lines = log.toString('utf8').split('\n')
  return lines.filter(line => line.length > 20 && !/bump|^Merge|release|version/i.test(line))
}

function git(repository: string, words: readonly string[], input = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, GIT_NO_LAZY_FETCH: '1' }
    const child = spawn('git', ['-C', repository, ...words], { env: environment })
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(pieces)))
    child.stdin.end(input)
  })
}

export function shuffle<Item>(items: Item[], random: () => number): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[items[last], items[other]] = [items[other] as Item, items[last] as Item]
  }
  return items
}

/** Small, seeded and the same everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
