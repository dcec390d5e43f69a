/** C, C++, C# and Java. */

import { type LanguageTable, type Rule, rules, WRAPPER } from './table.js'

const record = (kind: string): Rule => ({ kind, body: 'body', requires: 'body' })

const cRules = rules({
  'preproc_if preproc_ifdef preproc_else preproc_elif linkage_specification declaration_list': WRAPPER,
  function_definition: { kind: 'function', name: '~' },
  declaration: { kind: 'variable', name: '~', callable: 'function_declarator', also: 'type' },
  type_definition: { kind: 'type', name: '~', also: 'type' },
  struct_specifier: record('struct'),
  union_specifier: record('union'),
  enum_specifier: { kind: 'enum', requires: 'body' },
  'preproc_def preproc_function_def': { kind: 'macro' },
})

export const c: LanguageTable = { grammar: 'c', rules: cRules }

export const cpp: LanguageTable = {
  grammar: 'cpp',
  rules: new Map([
    ...cRules,
    ...rules({
      template_declaration: WRAPPER,
      class_specifier: record('class'),
      namespace_definition: { kind: 'namespace', body: 'body' },
      field_declaration: { name: '~', callable: 'function_declarator', also: 'type' },
      'alias_declaration concept_definition': { kind: 'type' },
    }),
  ]),
  leading: ['access_specifier'],
}

export const csharp: LanguageTable = {
  grammar: 'c_sharp',
  rules: rules({
    'global_statement preproc_if preproc_region': WRAPPER,
    namespace_declaration: { kind: 'namespace', body: 'body' },
    file_scoped_namespace_declaration: { kind: 'namespace', body: '' },
    class_declaration: { kind: 'class', body: 'body' },
    'struct_declaration record_struct_declaration': { kind: 'struct', body: 'body' },
    interface_declaration: { kind: 'interface', body: 'body' },
    record_declaration: { kind: 'record', body: 'body' },
    enum_declaration: { kind: 'enum' },
    delegate_declaration: { kind: 'delegate' },
    'method_declaration local_function_statement': { kind: 'function' },
    'constructor_declaration destructor_declaration': { kind: 'constructor' },
    'property_declaration event_declaration': { kind: 'property' },
    field_declaration: {
      kind: 'constant',
      name: '<variable_declaration>/<variable_declarator>',
      pattern: /[\p{L}_]\w*/uy,
      when: /\bconst\b|\bstatic\b[^;]*\breadonly\b/,
    },
    event_field_declaration: {
      kind: 'event',
      name: '<variable_declaration>/<variable_declarator>',
      pattern: /[\p{L}_]\w*/uy,
    },
  }),
  leading: ['attribute_list'],
}

export const java: LanguageTable = {
  grammar: 'java',
  rules: rules({
    enum_body_declarations: WRAPPER,
    class_declaration: { kind: 'class', body: 'body' },
    interface_declaration: { kind: 'interface', body: 'body' },
    enum_declaration: { kind: 'enum', body: 'body' },
    record_declaration: { kind: 'record', body: 'body' },
    annotation_type_declaration: { kind: 'annotation', body: 'body' },
    'method_declaration annotation_type_element_declaration': { kind: 'method' },
    'constructor_declaration compact_constructor_declaration': { kind: 'constructor' },
    field_declaration: {
      kind: 'constant',
      name: 'declarator/name',
      when: /\bstatic\b[^;]*\bfinal\b|\bfinal\b[^;]*\bstatic\b/,
    },
  }),
}
