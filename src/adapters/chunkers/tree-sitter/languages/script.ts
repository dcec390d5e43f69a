/** TypeScript, TSX and JavaScript. */

import { type Chain, type LanguageTable, type Rule, rules, type ValueRule, WRAPPER } from './table.js'

const FUNCTION: ValueRule = { kind: 'function' }

const functions = {
  arrow_function: FUNCTION,
  function_expression: FUNCTION,
  function: FUNCTION,
  generator_function: FUNCTION,
}

const classes = { class: { kind: 'class', body: 'body' } }

/** Members of an object that is handed to a call or said to be of a type: `defineStore({ … })`, `{ … } satisfies Handlers`. */
const objects = (kind?: string): Readonly<Record<string, ValueRule>> => ({
  object: { body: '', ...(kind && { kind }) },
  call_expression: { body: 'arguments/<object>', outside: true, ...(kind && { kind }) },
  as_expression: { body: '<object>', ...(kind && { kind }) },
  satisfies_expression: { body: '<object>|<as_expression>/<object>', ...(kind && { kind }) },
})

const HANDED = 'arguments/<function_expression>/name'
const OWN_NAME = `name|${HANDED}|arguments/<call_expression>/${HANDED}`

const strip =
  /^(?:module\.exports\.?|exports(?:\.|$)|this\.|self\.|window\.|globalThis\.|\((?:window|globalThis|self) as [^()]*\)\.)|\.prototype(?=\.|$)/g

const chain: Omit<Chain, 'at'> = { type: 'assignment_expression', name: 'left', next: 'right', strip }

/** `Object.assign(Shape.prototype, { … })`. */
const EXTENSION: Rule = {
  name: 'arguments/^',
  pattern: /[\p{L}_$][\p{L}\p{N}_$.]*/uy,
  strip,
  requires: 'arguments/<object>',
  body: 'arguments/<object>',
}

/** `Object.defineProperty(request, 'fresh', { get() { … } })`, `defineGetter(request, 'fresh', function () { … })`. */
const PROPERTY: Rule = {
  name: 'arguments/<string>',
  owner: { at: 'arguments/^', pattern: /^(?:this|([\w$.]+?)(?:\.prototype)?)$/ },
  // What compilers write for `export … from`.
  when: /^(?!.*\(\s*(?:module\.)?exports\b)/s,
  unless: /^(?!.{0,159}(?:\b[gs]et\b|\bfunction\b|=>|\bvalue\s*\())/s,
  value: { at: 'arguments/$', types: { ...functions, object: FUNCTION } },
}

const shared = rules({
  'export_statement expression_statement lexical_declaration variable_declaration': WRAPPER,
  'object arguments parenthesized_expression': WRAPPER,
  'function_declaration generator_function_declaration function_signature': { kind: 'function', joins: true },
  'function_expression function generator_function': { kind: 'function' },
  'class_declaration abstract_class_declaration class': { kind: 'class', body: 'body' },
  'method_definition method_signature abstract_method_signature': { kind: 'method', joins: true },
  variable_declarator: {
    kind: 'constant',
    pattern: /[\p{L}_$][\p{L}\p{N}_$]*/uy,
    unless: /^[^=\n]{0,80}=\s*(?:await\s+)?(?:require|import)\b/,
    value: { at: 'value', types: { ...functions, ...classes, ...objects('constant') } },
    chain: { ...chain, at: 'value' },
    own: OWN_NAME,
  },
  'public_field_definition field_definition': {
    name: 'name|property',
    value: { at: 'value', types: functions },
  },
  pair: {
    name: 'key',
    value: { at: 'value', types: { ...functions, ...classes, ...objects() } },
    own: 'name',
  },
  assignment_expression: {
    name: 'left',
    strip,
    value: { at: 'right', types: { ...functions, ...classes, ...objects() } },
    chain: { ...chain, at: 'right' },
    own: OWN_NAME,
  },
  call_expression: {
    keyword: {
      at: 'function',
      patterns: [
        [/(?:^|\.)define(?:Property|Getter|Setter|Accessor|Method)$/, PROPERTY],
        [/^(?:Object\.assign|(?:\w+\.)?_?(?:extend|mixin))$/, EXTENSION],
      ],
      otherwise: { wrapper: true, holds: /\b(?:function\s*\*?|class)\s*[\p{L}_$]/u },
    },
  },
})

const typed = rules({
  // `declare global { … }` has a block, all others have a declaration.
  ambient_declaration: { wrapper: true, body: '<statement_block>' },
  'as_expression satisfies_expression': WRAPPER,
  interface_declaration: { kind: 'interface', body: 'body' },
  type_alias_declaration: { kind: 'type' },
  enum_declaration: { kind: 'enum' },
  'internal_module module': { kind: 'namespace', body: 'body' },
})

/** Much older code has a blank row below each of its documentation comments. */
const remote = /\/\*\*\s/y

export const javascript: LanguageTable = {
  grammar: 'javascript',
  rules: shared,
  leading: ['decorator'],
  remote,
}
export const typescript: LanguageTable = {
  grammar: 'typescript',
  rules: new Map([...shared, ...typed]),
  leading: ['decorator'],
  remote,
}
export const tsx: LanguageTable = { ...typescript, grammar: 'tsx' }
