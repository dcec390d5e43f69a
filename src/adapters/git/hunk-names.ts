/**
 * What makes git name the function around a hunk behind the second `@@`: a driver for each extension. Written into the
 * shadow directory, where it stands in for whatever drivers the repository asks for.
 */

/** Drivers that git brings along. A git that is too old for one falls back to its plain rule. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ada: 'adb ads',
  bash: 'sh bash zsh ksh bats',
  cpp: 'c h cpp cc cxx hpp hh hxx ipp inl cu cuh ino',
  csharp: 'cs csx',
  css: 'css scss less',
  elixir: 'ex exs',
  fortran: 'f f90 f95 f03',
  golang: 'go',
  html: 'html htm xhtml',
  java: 'java',
  kotlin: 'kt kts',
  markdown: 'md markdown mdx',
  matlab: 'matlab',
  objc: 'm mm',
  pascal: 'pas pp',
  perl: 'pl pm',
  php: 'php phtml',
  python: 'py pyi pyw',
  ruby: 'rb rake gemspec ru',
  rust: 'rs',
  scheme: 'scm ss',
  tex: 'tex sty cls',
}

interface OwnDriver {
  readonly name: string
  readonly extensions: string
  /** POSIX extended expressions, tried in this order; the first group is shown, and one that starts with `!` says no. */
  readonly patterns: readonly string[]
}

const NAME = '[A-Za-z_$#][A-Za-z0-9_$]*'

const OWN: readonly OwnDriver[] = [
  {
    name: 'quarry-script',
    extensions: 'ts mts cts tsx js mjs cjs jsx es6 vue svelte astro',
    patterns: [
      '!^[ \t]*(if|else|for|while|do|switch|case|catch|return|throw|new|await|yield|delete|typeof|import|super)[^A-Za-z0-9_$]',
      `^[ \t]*((export[ \t]+)?(default[ \t]+)?(declare[ \t]+)?(abstract[ \t]+)?(async[ \t]+)?(function|class|interface|enum|namespace|type)[ \t*].*)$`,
      `^[ \t]*((export[ \t]+)?(const|let|var)[ \t]+${NAME}[^=]*=[ \t]*(async[ \t(]|function|\\(|${NAME}[ \t]*=>).*)$`,
      `^[ \t]*(((public|private|protected|static|override|async|get|set)[ \t]+)*[*]?${NAME}[ \t]*(<[^(]*>)?\\([^'"]*\\{[ \t]*)$`,
      `^[ \t]*([A-Za-z_$][A-Za-z0-9_$.]*[ \t]*[:=][ \t]*(async[ \t]+)?function.*)$`,
    ],
  },
  {
    name: 'quarry-swift',
    extensions: 'swift',
    patterns: [
      '^[ \t]*((@[A-Za-z]+[ \t]+)*((public|private|fileprivate|internal|open|static|final|class|override|mutating|indirect|convenience|required|nonisolated)[ \t]+)*((func|class|struct|enum|protocol|extension|actor)[ \t]|init[?!(<]|deinit|subscript[ \t(<]).*)$',
    ],
  },
  {
    name: 'quarry-scala',
    extensions: 'scala sc sbt',
    patterns: [
      '^[ \t]*(((final|sealed|implicit|lazy|override|case|abstract|inline|transparent|opaque|private|protected)(\\[[^]]*\\])?[ \t]+)*(def|class|object|trait|enum|given|extension)[ \t].*)$',
    ],
  },
  {
    name: 'quarry-lua',
    extensions: 'lua',
    patterns: ['^[ \t]*((local[ \t]+)?(function[ \t].*|[A-Za-z_][A-Za-z0-9_.:]*[ \t]*=[ \t]*function.*))$'],
  },
  {
    name: 'quarry-haskell',
    extensions: 'hs',
    patterns: ["^((data|newtype|class|instance|type|module)[ \t].*|[a-z_][A-Za-z0-9_']*[ \t]+::.*)$"],
  },
  {
    name: 'quarry-zig',
    extensions: 'zig',
    patterns: [
      '^[ \t]*((pub[ \t]+)?((export|inline|extern|noinline)[ \t]+)*(fn[ \t]|test[ \t]|const[ \t]+[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*((extern|packed)[ \t]+)?(struct|enum|union|opaque|error)).*)$',
    ],
  },
]

const lines = (driver: string, extensions: string): string[] =>
  extensions.split(' ').map(extension => `*.${extension} diff=${driver}\n`)

/** For `info/attributes`. */
export const ATTRIBUTES = [
  ...Object.entries(BUILT_IN).flatMap(([driver, extensions]) => lines(driver, extensions)),
  ...OWN.flatMap(({ name, extensions }) => lines(name, extensions)),
].join('')

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

/** For `config`. */
export const DRIVERS = OWN.map(
  ({ name, patterns }) => `[diff "${name}"]\n\txfuncname = ${quoted(patterns.join('\n'))}\n`,
).join('')
