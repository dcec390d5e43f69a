/** JavaScript and TypeScript. */

import { BRACE_METHOD, type DefinitionRule, NAME, rule } from './rule.js'

const FUNCTION_VALUE = rule(
  String.raw`(?:export +)?(?:default +)?(?:(?:public|private|protected|static|readonly|const|let|var) +)*(?:[\w$]+\.)*#?(?!exports\b)${NAME}\s*(?::[^=]*)?[=:]\s*(?:async\b\s*)?(?:function\b|class\b|(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)\s*(?::[^=]*)?=>|\([^()]*$|[\w$]+\s*=>)`,
  { kind: 'function' },
)

export const script: readonly DefinitionRule[] = [
  rule(
    String.raw`(?:(?:export|default|declare|abstract|async|const) +)*(?:(?<word>class|interface|enum|namespace|type(?= +[\w$]+ *[<=])) +|(?<call>function) *\*? *)${NAME}(?= *(?:[(<{=]|extends\b|implements\b|$))`,
  ),
  rule(String.raw`(?:module\.)?exports(?:\.\w+)? *= *(?:async +)?function *\*? *${NAME} *\(`, {
    kind: 'function',
  }),
  FUNCTION_VALUE,
  BRACE_METHOD,
]
