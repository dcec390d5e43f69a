/** TypeScript, TSX and JavaScript. */

import { type LanguageTable, rules, type ValueRule, WRAPPER } from './table.js'

const FUNCTION: ValueRule = { kind: 'function' }

const functions = {
  arrow_function: FUNCTION,
  function_expression: FUNCTION,
  function: FUNCTION,
  generator_function: FUNCTION,
}

const classes = { class: { kind: 'class', body: 'body' } }

const shared = rules({
  'export_statement expression_statement lexical_declaration variable_declaration ambient_declaration':
    WRAPPER,
  object: WRAPPER,
  'function_declaration generator_function_declaration function_signature': { kind: 'function', joins: true },
  'class_declaration abstract_class_declaration class': { kind: 'class', body: 'body' },
  'method_definition method_signature abstract_method_signature': { kind: 'method', joins: true },
  variable_declarator: {
    kind: 'constant',
    pattern: /[\p{L}_$][\p{L}\p{N}_$]*/uy,
    unless: /^[^=\n]{0,80}=\s*(?:await\s+)?(?:require|import)\b/,
    value: { at: 'value', types: { ...functions, ...classes, object: { kind: 'constant', body: '' } } },
  },
  'public_field_definition field_definition': {
    name: 'name|property',
    value: { at: 'value', types: functions },
  },
  pair: { name: 'key', value: { at: 'value', types: { ...functions, ...classes, object: { body: '' } } } },
  assignment_expression: {
    name: 'left',
    strip: /^(?:module\.exports\.?|exports\.|this\.|self\.|window\.|globalThis\.)|\.prototype(?=\.|$)/g,
    value: { at: 'right', types: { ...functions, ...classes, object: { body: '' } } },
  },
})

const typed = rules({
  interface_declaration: { kind: 'interface', body: 'body' },
  type_alias_declaration: { kind: 'type' },
  enum_declaration: { kind: 'enum' },
  'internal_module module': { kind: 'namespace', body: 'body' },
})

export const javascript: LanguageTable = { grammar: 'javascript', rules: shared, leading: ['decorator'] }
export const typescript: LanguageTable = {
  grammar: 'typescript',
  rules: new Map([...shared, ...typed]),
  leading: ['decorator'],
}
export const tsx: LanguageTable = { ...typescript, grammar: 'tsx' }
