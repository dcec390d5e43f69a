/** C, C++, C# and Java. */

import {
  ANNOTATIONS,
  BRACE_METHOD,
  type DefinitionRule,
  keyword,
  NAME,
  NO_CONTROL,
  NO_STATEMENT,
  rule,
} from './rule.js'

/** `type … name(` with at least one word before the name. */
const typedMethod = (more: Omit<DefinitionRule, 'pattern'>): DefinitionRule =>
  rule(
    String.raw`${ANNOTATIONS}${NO_STATEMENT}(?:[\w<>[\],.?:*&]+ +)+[*&]*(?:(?<owner>[\w:<>]+)(?:::|\.))?${NO_CONTROL}(?<name>~?[A-Za-z_\x80-\uffff][\w\x80-\uffff]*|operator *[^\s(\w]+) ?(?:<[^()]*>)?\(`,
    { kind: 'function', needs: '(', ...more },
  )

const JAVA_MODIFIERS =
  'public|private|protected|internal|static|final|abstract|sealed|non-sealed|partial|readonly|unsafe|new|strictfp|file|ref'

export const java: readonly DefinitionRule[] = [
  keyword(JAVA_MODIFIERS, 'class|interface|enum|record|@interface'),
  typedMethod({}),
  BRACE_METHOD,
  rule(String.raw`(?:(?:public|private|protected) +)?(?:static +final|final +static) +\S+ +${NAME} *=`, {
    kind: 'constant',
  }),
]

export const csharp: readonly DefinitionRule[] = [
  keyword(
    JAVA_MODIFIERS,
    'class|struct|interface|enum|record(?: +(?:struct|class))?|namespace',
    '(?<name>[A-Za-z_][\\w.]*)',
  ),
  typedMethod({}),
  BRACE_METHOD,
  rule(
    String.raw`(?:(?:${JAVA_MODIFIERS}|override|virtual|required) +)+[\w<>[\],.?]+ +${NAME} *(?:\{ *(?:get|set|init)\b|=>|$)`,
    {
      kind: 'property',
    },
  ),
  rule(String.raw`(?:(?:public|private|protected|internal) +)?(?:const|static +readonly) +\S+ +${NAME} *=`, {
    kind: 'constant',
  }),
]

const BODY_FOLLOWS = {
  ends: '{}(),te',
  shape: /^[^;=]*(?:[{}(),]|\bconst|\boverride|\bnoexcept)$/,
}

export const c: readonly DefinitionRule[] = [
  rule(
    String.raw`(?:typedef +)?(?:template *<.*> *)?(?<word>struct|union|enum(?: class| struct)?|class|namespace) +(?:[A-Z][A-Z0-9_]+ +)?(?<name>[A-Za-z_][\w:]*)(?=\s*(?:[:{/]|final\b|$))`,
  ),
  rule('# *(?<word>define) +(?<name>\\w+)'),
  rule(`using +${NAME} *=`, { kind: 'type' }),
  // Macros that define what they are given: TEST_IMPL(name), PHP_FUNCTION(name).
  rule(String.raw`[A-Z][A-Z0-9_]+\((?<name>\w+)[^()"]*\) *\{?$`, {
    kind: 'function',
    margin: true,
    needs: '(',
  }),
  rule(String.raw`(?:TEST_CASE\w*|SCENARIO|BENCHMARK)\("(?<name>[^"]+)"`, { kind: 'test', needs: '(' }),
  rule(String.raw`(?:static +)?(?:const +)?(?:struct +)?\w+ +\**(?<name>\w+)(?:\[[^\]]*\])* *= *\{?$`, {
    kind: 'variable',
    margin: true,
    needs: '=',
  }),
  typedMethod({ margin: true }),
  typedMethod(BODY_FOLLOWS),
  // The type of the result may stand on the line above, and constructors have none.
  rule(String.raw`${NO_STATEMENT}(?:(?<owner>[\w:<>]+)::)?(?<name>~?[A-Za-z_]\w*) ?\((?!")`, {
    kind: 'function',
    margin: true,
    needs: '(',
    ...BODY_FOLLOWS,
  }),
  BRACE_METHOD,
]
