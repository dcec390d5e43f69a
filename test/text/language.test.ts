import { describe, expect, it } from 'vitest'
import { languageOf } from '../../dist/text/language.js'

describe('languageOf', () => {
  it.each([
    ['src/a.ts', 'typescript'],
    ['types/a.d.ts', 'typescript'],
    ['src/a.mts', 'typescript'],
    ['src/App.TSX', 'tsx'],
    ['src/app.jsx', 'javascript'],
    ['a/b.pyi', 'python'],
    ['main.go', 'go'],
    ['lib.rs', 'rust'],
    ['A.java', 'java'],
    ['build.gradle.kts', 'kotlin'],
    ['a.h', 'c'],
    ['a.hpp', 'cpp'],
    ['A.cs', 'csharp'],
    ['a.rb', 'ruby'],
    ['index.php', 'php'],
    ['a.swift', 'swift'],
    ['build.sbt', 'scala'],
    ['run.bash', 'bash'],
    ['init.lua', 'lua'],
    ['mix.exs', 'elixir'],
    ['Main.hs', 'haskell'],
    ['build.zig', 'zig'],
    ['README.md', 'markdown'],
    ['schema.sql', 'sql'],
    ['package.json', 'json'],
    ['.github/workflows/ci.yml', 'yaml'],
    ['Cargo.toml', 'toml'],
    ['index.html', 'html'],
    ['style.css', 'css'],
    ['sub/Makefile', 'makefile'],
    ['Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['web.dockerfile', 'dockerfile'],
    ['Gemfile', 'ruby'],
    ['CMakeLists.txt', 'cmake'],
    ['.bashrc', 'bash'],
    ['LICENSE', 'text'],
    ['notes.txt', 'text'],
    ['build.log', 'text'],
    ['Makefile.am', 'makefile'],
    ['', 'text'],
    ['dir.ts/file', 'text'],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })

  it.each([
    ['#!/bin/sh', 'bash'],
    ['#!/usr/bin/env python3', 'python'],
    ['#!/usr/bin/env -S python3.11 -u', 'python'],
    ['#! /usr/bin/env FOO=1 node', 'javascript'],
    ['#!/usr/local/bin/ruby2.7 -w', 'ruby'],
    ['#!/usr/bin/env', 'text'],
    ['#!', 'text'],
    ['plain words', 'text'],
  ])('the first line %s means %s', (firstLine, language) => {
    expect(languageOf('bin/tool', firstLine)).toBe(language)
  })

  it('trusts the ending more than the first line', () => {
    expect(languageOf('tool.rb', '#!/bin/sh')).toBe('ruby')
  })
})
