/**
 * Path globs as people type them behind `--path`, compiled to matchers that never backtrack further than one star:
 * the time is at most path length × pattern length, whatever the pattern.
 */

import { QuarryError } from '../core/errors.js'

const LONGEST_PATTERN = 1024
const MOST_ALTERNATIVES = 64
/** Braces multiply: this bounds the work for one path, 64 alternatives or not. */
const LONGEST_EXPANSION = 16_384

type Step =
  | { readonly kind: 'literal'; readonly code: number }
  | { readonly kind: 'any' } // ?
  | { readonly kind: 'star' }
  | {
      readonly kind: 'class'
      readonly negated: boolean
      readonly ranges: readonly (readonly [number, number])[]
    }
type Segment = 'directories' | readonly Step[]
type Matcher = (path: string) => boolean

/**
 * `**` (any directories), `*`, `?`, `[a-z]`, `{a,b}`, `\` before a character that means itself, a leading `!`. Without a slash
 * the base name is matched; without a wildcard the file of that name or everything below the directory of that name.
 */
export const compileGlob = (pattern: string): Matcher => {
  const negated = pattern.startsWith('!')
  const body = (negated ? pattern.slice(1) : pattern).replace(/^(?:\.?\/)+/, '')
  if (body === '') throw refusal(pattern, 'is empty')
  if (pattern.length > LONGEST_PATTERN) throw refusal(pattern, `is longer than ${LONGEST_PATTERN} characters`)
  const alternatives = expandBraces(body, pattern).map(compileAlternative)
  const matches: Matcher = path => alternatives.some(alternative => alternative(path))
  return negated ? path => !matches(path) : matches
}

/** Several globs: at least one of the plain ones, if there are any, and none of those with a leading `!`. */
export const compileGlobs = (patterns: readonly string[]): Matcher => {
  const wanted = patterns.filter(pattern => !pattern.startsWith('!')).map(compileGlob)
  const unwanted = patterns.filter(pattern => pattern.startsWith('!')).map(compileGlob)
  return path =>
    (wanted.length === 0 || wanted.some(matches => matches(path))) && unwanted.every(allows => allows(path))
}

const refusal = (pattern: string, why: string): QuarryError =>
  new QuarryError('BAD_INPUT', `The path pattern ${JSON.stringify(pattern.slice(0, 60))} ${why}`, {
    hint: "quarry search --path 'src/**/*.ts' …",
  })

const expandBraces = (body: string, pattern: string): readonly string[] => {
  let done: string[] = []
  let open = [body]
  while (open.length > 0) {
    const next: string[] = []
    for (const candidate of open) {
      const group = firstGroup(candidate)
      if (group === null) done.push(candidate)
      else for (const choice of group.choices) next.push(group.before + choice + group.after)
    }
    if (done.length + next.length > MOST_ALTERNATIVES) {
      throw refusal(pattern, `has more than ${MOST_ALTERNATIVES} alternatives in its braces`)
    }
    open = next
  }
  done = [...new Set(done)]
  if (done.reduce((sum, { length }) => sum + length, 0) > LONGEST_EXPANSION)
    throw refusal(pattern, 'grows too long')
  return done
}

/** The first `{…,…}`; braces without a comma or without an end mean themselves. */
const firstGroup = (text: string): { before: string; choices: readonly string[]; after: string } | null => {
  const starts: { at: number; commas: number[] }[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '{') starts.push({ at, commas: [] })
    else if (character === ',') starts.at(-1)?.commas.push(at)
    else if (character === '}' && starts.length > 0) {
      const { at: start, commas } = starts.pop()!
      // An inner group first: what is left of an outer one is found in the next round.
      if (commas.length === 0) continue
      const borders = [start, ...commas, at]
      const choices = borders.slice(1).map((border, index) => text.slice(borders[index]! + 1, border))
      return { before: text.slice(0, start), choices, after: text.slice(at + 1) }
    }
  }
  return null
}

const compileAlternative = (pattern: string): Matcher => {
  const below = pattern.endsWith('/')
  const segments = pattern.replace(/\/+$/, '').split(/\/+/).map(compileSegment)
  if (
    segments.every(segment => segment !== 'directories' && segment.every(step => step.kind === 'literal'))
  ) {
    const name = pattern.replace(/\/+$/, '').replace(/\/+/g, '/').replace(/\\(.)/gsu, '$1')
    const inside = `${name}/`
    const isBaseName: Matcher = path =>
      !below && segments.length === 1 && path.endsWith(name) && path.at(-name.length - 1) === '/'
    return path => (path === name && !below) || path.startsWith(inside) || isBaseName(path)
  }
  if (below) segments.push('directories')
  else if (segments.length === 1 && segments[0] !== 'directories') segments.unshift('directories')
  return path => matchSegments(segments, path.split('/'))
}

const compileSegment = (text: string): Segment => {
  if (text === '**') return 'directories'
  const steps: Step[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '*') {
      if (steps.at(-1)?.kind !== 'star') steps.push({ kind: 'star' })
    } else if (character === '?') steps.push({ kind: 'any' })
    else if (character === '[') {
      const set = compileClass(text, at)
      if (set === null) steps.push({ kind: 'literal', code: text.charCodeAt(at) })
      else {
        steps.push(set.step)
        at = set.end
      }
    } else {
      if (character === '\\' && at + 1 < text.length) at++
      steps.push({ kind: 'literal', code: text.charCodeAt(at) })
    }
  }
  return steps
}

/** `[abc]`, `[a-z]`, `[!a]`; without a closing bracket it is a plain `[`. */
const compileClass = (text: string, start: number): { step: Step; end: number } | null => {
  const negated = text[start + 1] === '!' || text[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const end = text.indexOf(']', first + 1)
  if (end < 0) return null
  const members = [...text.slice(first, end)].map(member => member.codePointAt(0)!)
  const ranges: [number, number][] = []
  for (let at = 0; at < members.length; at++) {
    const isRange = members[at + 1] === 45 && at + 2 < members.length
    ranges.push([members[at]!, members[isRange ? at + 2 : at]!])
    if (isRange) at += 2
  }
  return { step: { kind: 'class', negated, ranges }, end }
}

/** Parts match one by one; on a mismatch only the last `**` takes one more directory, which is enough to be exact. */
const matchSegments = (segments: readonly Segment[], parts: readonly string[]): boolean => {
  let segment = 0
  let part = 0
  let retrySegment = -1
  let retryPart = 0
  while (part < parts.length) {
    const current = segments[segment]
    if (current === 'directories') {
      // At the end of a pattern it means what is below, so it takes at least one part.
      if (segment === segments.length - 1) return true
      retrySegment = segment++
      retryPart = part
    } else if (current !== undefined && matchSteps(current, parts[part]!)) {
      segment++
      part++
    } else if (retrySegment >= 0) {
      segment = retrySegment + 1
      part = ++retryPart
    } else return false
  }
  return segment === segments.length
}

const matchSteps = (steps: readonly Step[], text: string): boolean => {
  let step = 0
  let at = 0
  let retryStep = -1
  let retryAt = 0
  while (at < text.length) {
    const current = steps[step]
    const width = current === undefined ? 0 : widthOfMatch(current, text, at)
    if (current?.kind === 'star') {
      retryStep = step++
      retryAt = at
    } else if (width > 0) {
      step++
      at += width
    } else if (retryStep >= 0) {
      step = retryStep + 1
      at = ++retryAt
    } else return false
  }
  while (steps[step]?.kind === 'star') step++
  return step === steps.length
}

/** How many code units this step takes here; 0 is a mismatch. `?` and classes take a whole character. */
const widthOfMatch = (step: Step, text: string, at: number): number => {
  if (step.kind === 'literal') return text.charCodeAt(at) === step.code ? 1 : 0
  if (step.kind === 'star') return 0
  const code = text.codePointAt(at)!
  const width = code > 0xffff ? 2 : 1
  if (step.kind === 'any') return width
  const isMember = step.ranges.some(([low, high]) => code >= low && code <= high)
  return isMember === step.negated ? 0 : width
}
