/**
 * How a line that defines something looks, language by language. For the lines of diffs, where a parser has nothing whole to
 * read; `find-definition.ts` applies the rules to one bounded line at a time.
 */

import { c, csharp, java } from './c-family.js'
import { go, kotlin, rust, scala, swift, zig } from './compiled.js'
import { elixir, haskell } from './functional.js'
import { BRACE_METHOD, type DefinitionRule, keyword, rule } from './rule.js'
import { script } from './script.js'
import { bash, lua, php, python, ruby } from './scripting.js'

const markdown: readonly DefinitionRule[] = [rule('#{1,6} +(?<name>.+?) *#*$', { kind: 'heading' })]

/** Languages without rules of their own that speak in the usual words. */
const common: readonly DefinitionRule[] = [
  keyword(
    'public|private|protected|static|final|abstract|export|async|pub|local|sealed|override',
    'def|class|function|fn|func|fun|sub|struct|interface|trait|module|enum|mixin|extension|proc|contract',
  ),
  BRACE_METHOD,
]

export const DEFINITION_RULES: ReadonlyMap<string, readonly DefinitionRule[]> = new Map([
  ['python', python],
  ['typescript', script],
  ['tsx', script],
  ['javascript', script],
  ['vue', script],
  ['svelte', script],
  ['astro', script],
  ['go', go],
  ['rust', rust],
  ['java', java],
  ['kotlin', kotlin],
  ['c', c],
  ['cpp', c],
  ['objective-c', c],
  ['csharp', csharp],
  ['ruby', ruby],
  ['php', php],
  ['swift', swift],
  ['scala', scala],
  ['bash', bash],
  ['lua', lua],
  ['elixir', elixir],
  ['haskell', haskell],
  ['zig', zig],
  ['markdown', markdown],
  ...[
    'crystal',
    'dart',
    'groovy',
    'julia',
    'nim',
    'perl',
    'r',
    'solidity',
    'starlark',
    'powershell',
    'fish',
  ].map(language => [language, common] as const),
])
