/** Every language that has a grammar, by the name that `languageOf` gives it. */

import { c, cpp, csharp, java } from './c-family.js'
import { go, kotlin, rust, scala, swift, zig } from './compiled.js'
import { elixir, haskell } from './functional.js'
import { javascript, tsx, typescript } from './script.js'
import { bash, lua, php, python, ruby } from './scripting.js'
import type { LanguageTable } from './table.js'

export const LANGUAGES: ReadonlyMap<string, LanguageTable> = new Map(
  Object.entries({
    typescript,
    tsx,
    javascript,
    python,
    go,
    rust,
    java,
    kotlin,
    c,
    cpp,
    csharp,
    ruby,
    php,
    swift,
    scala,
    bash,
    lua,
    elixir,
    haskell,
    zig,
  }),
)
