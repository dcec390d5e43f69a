/** Languages as people type them: short names and file endings stand for the names in the index. */

import { isLanguage, languageOf } from './language.js'

const SHORT_NAMES = new Map(
  Object.entries({
    ts: 'typescript',
    js: 'javascript',
    jsx: 'javascript',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    golang: 'go',
    kt: 'kotlin',
    cs: 'csharp',
    'c#': 'csharp',
    'c++': 'cpp',
    cc: 'cpp',
    'f#': 'fsharp',
    sh: 'bash',
    shell: 'bash',
    ex: 'elixir',
    hs: 'haskell',
    md: 'markdown',
    yml: 'yaml',
    tf: 'terraform',
    make: 'makefile',
    docker: 'dockerfile',
  }),
)

/** TSX has a grammar of its own; to people it is TypeScript. */
export const languagesNamed = (name: string): readonly string[] => {
  const language = SHORT_NAMES.get(name) ?? (isLanguage(name) ? name : byEnding(name))
  return language === 'typescript' ? ['typescript', 'tsx'] : [language]
}

const byEnding = (name: string): string => {
  const language = languageOf(`a.${name}`)
  return language === 'text' && name !== 'txt' ? name : language
}
