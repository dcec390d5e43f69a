/** Go, Rust, Zig, Swift, Kotlin and Scala. */

import { ANNOTATIONS, type DefinitionRule, keyword, NAME, rule } from './rule.js'

export const go: readonly DefinitionRule[] = [
  rule(String.raw`(?<word>func) +(?:\((?:\w+ +)?\*?(?<owner>\w+)(?:\[[^\]]*\])?\) *)?${NAME}`),
  rule(String.raw`(?:type +)?${NAME}(?:\[.*\])? +(?<word>struct|interface) *\{`),
  rule(`(?<word>type) +${NAME}`),
  rule(`(?<word>const|var) +${NAME}`, { margin: true }),
]

export const rust: readonly DefinitionRule[] = [
  rule(
    String.raw`(?:pub(?:\([^)]*\))? +)?(?:(?:default|async|unsafe|const|extern(?: +"[^"]*")?) +)*(?<word>fn|struct|enum|trait|union|mod|type|static|const|macro_rules!) +(?:mut +)?(?:r#)?${NAME}`,
  ),
  rule(
    String.raw`(?:unsafe +)?(?<word>impl)\b(?:.*\bfor +|<.*?> +| +)(?:&\S* *)?(?:mut +|dyn +)?(?:\w+::)*${NAME}`,
  ),
]

export const zig: readonly DefinitionRule[] = [
  rule(
    String.raw`(?:(?:pub|export|extern(?: +"[^"]*")?|inline|noinline) +)*(?<word>fn) +(?<name>[A-Za-z_]\w*|@"[^"]+")`,
  ),
  rule(
    String.raw`(?:pub +)?const +${NAME}(?: *: *type)? *= *(?:(?:extern|packed) +)?(?<word>struct|enum|union|opaque|error)\b`,
  ),
  rule('(?<word>test) +"?(?<name>[^"{]+?)"? *\\{'),
]

export const swift: readonly DefinitionRule[] = [
  keyword(
    'public|private|fileprivate|internal|open|static|final|override|mutating|nonmutating|indirect|nonisolated|class(?= +(?:func|var))',
    'func|class|struct|enum|protocol|extension|actor|typealias',
    String.raw`(?<name>[A-Za-z_][\w.]*|[^\s\w(<]+|[^\s\w(]+(?= *\())`,
  ),
  rule(
    String.raw`${ANNOTATIONS}(?:(?:public|private|fileprivate|internal|open|required|convenience|override) +)*(?<name>init|deinit|subscript)\b[?!]? *[(<{]`,
    {
      kind: 'constructor',
    },
  ),
]

export const kotlin: readonly DefinitionRule[] = [
  rule(
    String.raw`${ANNOTATIONS}(?:(?:public|private|protected|internal|open|abstract|override|suspend|inline|operator|infix|tailrec|external|actual|expect|final) +)*(?<word>fun) +(?:<.*?> +)?(?:(?<owner>\w+)(?:<.*?>)?\??\.)?(?<name>\x60[^\x60]+\x60|[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*)`,
  ),
  keyword(
    'public|private|protected|internal|open|abstract|sealed|data|inner|value|inline|annotation|actual|expect|external|fun|enum|companion',
    'class|interface|object|typealias',
  ),
  rule(`(?:(?:private|internal|public) +)?const val +${NAME}`, { kind: 'constant' }),
]

export const scala: readonly DefinitionRule[] = [
  keyword(
    String.raw`(?:private|protected)(?:\[\w+\])?|final|sealed|abstract|implicit|override|inline|lazy|case|open|transparent|opaque`,
    'def|class|object|trait|type|enum|given|package object',
    String.raw`(?<name>[A-Za-z_$][\w$]*|[^\s\w([]+)`,
  ),
]
