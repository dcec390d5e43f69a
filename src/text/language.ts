/**
 * Names the language of a file from its path and, where the path says nothing, from its first line. Sources call it once
 * for each document; chunkers choose a grammar by the name, people filter by it.
 */

/** `typescript`, `python`, `markdown`, `yaml` …; `text` when nothing is known. */
export const languageOf = (path: string, firstLine = ''): string => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return (
    FILE_NAMES.get(name) ??
    EXTENSIONS.get(name.slice(name.lastIndexOf('.') + 1)) ??
    FILE_NAMES.get(/^[a-z]+file(?=\.)/.exec(name)?.[0] ?? '') ??
    languageOfShebang(firstLine) ??
    'text'
  )
}

/** `#!/usr/bin/env -S python3.11 -u` names python. */
const languageOfShebang = (firstLine: string): string | undefined => {
  if (!firstLine.startsWith('#!')) return undefined
  const words = firstLine.slice(2).trim().split(/\s+/)
  const program = words[0]?.endsWith('/env') ? words.slice(1).find(word => !/^-|=/.test(word)) : words[0]
  const base = program?.slice(program.lastIndexOf('/') + 1).replace(/[\d.]+$/, '')
  return base ? INTERPRETERS.get(base) : undefined
}

const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(rows).flatMap(([language, keys]) => keys.split(' ').map(key => [key, language] as const)),
  )

const INTERPRETERS = table({
  bash: 'sh bash dash ksh zsh ash',
  python: 'python pypy',
  javascript: 'node nodejs bun',
  typescript: 'deno ts-node tsx',
  ruby: 'ruby',
  php: 'php',
  lua: 'lua luajit',
  elixir: 'elixir',
  haskell: 'runhaskell runghc stack',
  scala: 'scala',
  swift: 'swift',
  kotlin: 'kotlin',
  perl: 'perl',
  r: 'Rscript',
  awk: 'awk gawk',
  makefile: 'make',
  fish: 'fish',
  powershell: 'pwsh',
})

const FILE_NAMES = table({
  makefile: 'makefile gnumakefile bsdmakefile',
  dockerfile: 'dockerfile containerfile',
  ruby: 'gemfile rakefile podfile vagrantfile guardfile capfile fastfile brewfile',
  groovy: 'jenkinsfile',
  cmake: 'cmakelists.txt',
  just: 'justfile',
  bash: '.bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv .zprofile .kshrc pkgbuild',
  ini: '.editorconfig .gitconfig .npmrc .gitmodules',
  toml: 'pipfile',
  json: '.babelrc .eslintrc .prettierrc .swcrc',
})

const EXTENSIONS = table({
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx es6',
  python: 'py pyi pyw',
  go: 'go',
  rust: 'rs',
  java: 'java',
  kotlin: 'kt kts',
  c: 'c h',
  cpp: 'cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl cu cuh ino',
  csharp: 'cs csx',
  ruby: 'rb rake gemspec ru podspec',
  php: 'php phtml php5 php7 php8',
  swift: 'swift',
  scala: 'scala sc sbt',
  bash: 'sh bash zsh ksh bats ebuild',
  lua: 'lua',
  elixir: 'ex exs',
  haskell: 'hs',
  zig: 'zig zon',
  markdown: 'md markdown mdx mkd mdown',
  sql: 'sql psql ddl',
  json: 'json jsonc json5 webmanifest geojson',
  yaml: 'yaml yml',
  toml: 'toml',
  html: 'html htm xhtml',
  css: 'css',
  scss: 'scss sass',
  less: 'less',
  xml: 'xml xsd xsl xslt csproj fsproj vbproj props targets plist',
  ini: 'ini cfg conf properties',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  dart: 'dart',
  r: 'r rmd',
  julia: 'jl',
  perl: 'pl pm',
  'objective-c': 'm mm',
  clojure: 'clj cljs cljc edn',
  erlang: 'erl hrl',
  ocaml: 'ml mli',
  fsharp: 'fs fsi fsx',
  'visual-basic': 'vb',
  groovy: 'groovy gradle',
  nim: 'nim',
  crystal: 'cr',
  elm: 'elm',
  solidity: 'sol',
  'emacs-lisp': 'el',
  lisp: 'lisp cl',
  scheme: 'scm ss',
  racket: 'rkt',
  fortran: 'f f90 f95 f03',
  pascal: 'pas pp',
  ada: 'adb ads',
  assembly: 's asm',
  verilog: 'v sv svh',
  vhdl: 'vhd vhdl',
  graphql: 'graphql gql',
  protobuf: 'proto',
  thrift: 'thrift',
  terraform: 'tf tfvars hcl',
  nix: 'nix',
  makefile: 'mk mak',
  cmake: 'cmake',
  starlark: 'bzl star bazel',
  powershell: 'ps1 psm1 psd1',
  batch: 'bat cmd',
  fish: 'fish',
  vim: 'vim',
  awk: 'awk',
  latex: 'tex sty cls',
  restructuredtext: 'rst rest',
  asciidoc: 'adoc asciidoc',
  org: 'org',
  handlebars: 'hbs handlebars',
  pug: 'pug',
  erb: 'erb',
  haml: 'haml',
  jinja: 'jinja jinja2 j2',
  prisma: 'prisma',
  dockerfile: 'dockerfile',
})

/** Every name that a file can have, in order. */
export const LANGUAGES: readonly string[] = [
  ...new Set([...INTERPRETERS.values(), ...FILE_NAMES.values(), ...EXTENSIONS.values(), 'text']),
].sort()

/** Also what commits, conversations and remembered notes are written in. */
export const isLanguage = (name: string): boolean =>
  ['diff', 'conversation', 'note'].includes(name) || LANGUAGES.includes(name)

/** Text written for people: read whole by embedders, and ranked by other weights than code. */
export const isProse = (language: string): boolean => PROSE.has(language)

const PROSE = new Set(['text', 'markdown', 'restructuredtext', 'asciidoc', 'latex', 'org'])
