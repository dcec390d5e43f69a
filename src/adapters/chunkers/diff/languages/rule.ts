/** What a rule of a language is made of, and the shapes that several languages share. */

export interface DefinitionRule {
  /** Group `name`; maybe `word`, which tells the kind, and `owner`, the type it belongs to. */
  readonly pattern: RegExp
  /** Where no word tells it. */
  readonly kind?: string
  /** Only at the left margin: deeper lines of this shape are statements. */
  readonly margin?: true
  /** Lines without this text need not be looked at. */
  readonly needs?: string
  /** Characters that the line may end with, and what all of it looks like as well. Not asked of an `@@` line, which git cuts short. */
  readonly ends?: string
  readonly shape?: RegExp
}

export const NAME = String.raw`(?<name>[A-Za-z_$\x80-\uffff][\w$\x80-\uffff]*)`
export const ANNOTATIONS = String.raw`(?:@\w+(?:\([^()]*\))? +)*`

export const rule = (pattern: string, more: Omit<DefinitionRule, 'pattern'> = {}): DefinitionRule => ({
  pattern: new RegExp(`^${pattern}`),
  ...more,
})

/** Modifiers, then the word that says what is defined. */
export const keyword = (modifiers: string, words: string, name = NAME): DefinitionRule =>
  rule(`${ANNOTATIONS}(?:(?:${modifiers}) +)*(?<word>${words}) +${name}`)

/** Words that begin statements: what follows them is no definition, however much it looks like one. */
const STATEMENTS =
  'if|else|elif|elseif|for|foreach|while|do|switch|case|catch|try|finally|return|throw|new|await|yield|delete|typeof|sizeof|goto|using|import|include|assert|lock|fixed|synchronized|until|unless|super|this|co_return|co_await|co_yield'
export const NO_STATEMENT = `(?!(?:${STATEMENTS}|let|var|val|function|and|or|not|in|is|as|from|echo|print|package)\\b)`

/** Names that would be calls of the language itself. */
export const NO_CONTROL =
  '(?!(?:if|elif|elseif|for|foreach|while|switch|catch|return|function|using|lock|fixed|synchronized|until|unless|super|sizeof|typeof)\\b)'

/** `name(…) {`; a callback that ends so is an argument of a call. */
export const BRACE_METHOD = rule(
  String.raw`(?:(?:public|private|protected|internal|static|async|override|readonly|get|set|final) +)*\*? ?#?${NO_CONTROL}${NAME} ?(?:<[^()]*>)?\((?!["'\x60(]|function\b|async\b)`,
  {
    kind: 'function',
    needs: '(',
    ends: '{}',
    shape: /^(?!.*(?:=>|->|\bfunction\b)).*\)\s*(?::[^=;]+)?\{(?:.*\})?$/,
  },
)
