/** Python, Ruby, PHP, Bash and Lua. */

import { type DefinitionRule, keyword, NAME, rule } from './rule.js'

export const python: readonly DefinitionRule[] = [
  rule(`(?:async +)?(?<word>def|class) +${NAME} *[(:[]`),
  rule('(?<name>[A-Z][A-Z0-9_]{2,})(?: *:[^=]+)? *=(?!=)', { kind: 'constant', margin: true }),
]

export const ruby: readonly DefinitionRule[] = [
  rule(
    String.raw`(?:(?:private|protected|public|module_function|private_class_method) +)?(?<word>def) +(?:(?:self|[A-Z]\w*)\.)?(?<name>\w+[?!=]?|[^\s\w(]+)`,
  ),
  rule('(?<word>class|module) +(?<name>[A-Z][\\w:]*)'),
  rule('(?<name>[A-Z][A-Z0-9_]{2,}) *=(?![=~>])', { kind: 'constant' }),
]

export const php: readonly DefinitionRule[] = [
  keyword(
    'public|private|protected|static|final|abstract|readonly',
    'function|class|interface|trait|enum|const',
    `&?${NAME}`,
  ),
  rule(String.raw`(?<word>namespace) +(?<name>[\w\\]+)`),
]

export const bash: readonly DefinitionRule[] = [
  rule('function +(?<name>[\\w:.-]+)', { kind: 'function' }),
  rule(String.raw`(?<name>[\w:.-]+) *\(\)`, { kind: 'function', needs: '(' }),
]

export const lua: readonly DefinitionRule[] = [
  rule('(?:local +)?function +(?:(?<owner>[\\w.]+)[.:])?(?<name>\\w+)', { kind: 'function' }),
  rule('(?:local +)?(?:(?<owner>[\\w.]+)\\.)?(?<name>\\w+) *= *function\\b', {
    kind: 'function',
    needs: '=',
  }),
]
