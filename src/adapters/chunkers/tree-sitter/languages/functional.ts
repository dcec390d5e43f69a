/** Elixir and Haskell. */

import { type LanguageTable, type Rule, rules, WRAPPER } from './table.js'

const elixirModule = (kind: string): Rule => ({
  kind,
  name: '<arguments>',
  pattern: /\(?\s*([\w.]+)/y,
  body: '<do_block>',
})

const elixirFunction = (kind: string): Rule => ({
  kind,
  name: '<arguments>',
  pattern: /\(?\s*(?!unquote\b)([\p{L}_][\w?!]*)/uy,
  joins: true,
})

export const elixir: LanguageTable = {
  grammar: 'elixir',
  rules: rules({
    call: {
      keyword: {
        at: 'target',
        words: {
          defmodule: elixirModule('module'),
          defprotocol: elixirModule('protocol'),
          defimpl: elixirModule('implementation'),
          def: elixirFunction('function'),
          defp: elixirFunction('function'),
          defdelegate: elixirFunction('function'),
          defmacro: elixirFunction('macro'),
          defmacrop: elixirFunction('macro'),
          defguard: elixirFunction('macro'),
          defguardp: elixirFunction('macro'),
        },
      },
    },
  }),
  // Module attributes: `@doc`, `@spec` and `@impl` stand above the function they speak of.
  leading: ['unary_operator'],
}

const equation: Rule = { kind: 'function', name: 'name|names|<infix>/operator', list: true, joins: true }

export const haskell: LanguageTable = {
  grammar: 'haskell',
  rules: rules({
    'declarations declaration': WRAPPER,
    header: { kind: 'module', name: 'module' },
    data_type: { kind: 'data' },
    newtype: { kind: 'data' },
    'type_synomym type_synonym type_family data_family': { kind: 'type' },
    class: { kind: 'class', body: 'declarations' },
    instance: { kind: 'instance', pattern: /[^\n]*?(?=\s+where\b|\s*\n|$)/y, body: 'declarations' },
    'signature function bind': equation,
    'pattern_synonym foreign_import': { kind: 'function', name: 'name|signature/name' },
  }),
  leading: ['haddock', 'pragma'],
}
