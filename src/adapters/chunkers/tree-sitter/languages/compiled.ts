/** Go, Rust, Zig, Swift, Kotlin and Scala. */

import { type LanguageTable, type Rule, rules, WRAPPER } from './table.js'

export const go: LanguageTable = {
  grammar: 'go',
  rules: rules({
    'type_declaration const_declaration var_declaration var_spec_list': WRAPPER,
    function_declaration: { kind: 'function' },
    method_declaration: {
      kind: 'method',
      owner: { at: 'receiver', pattern: /([\p{L}_]\w*)\s*(?:\[[^\]]*\])?\s*\)$/u },
    },
    'method_spec method_elem': { kind: 'method' },
    type_spec: {
      kind: 'type',
      value: {
        at: 'type',
        types: { struct_type: { kind: 'struct' }, interface_type: { kind: 'interface', body: '' } },
      },
    },
    type_alias: { kind: 'type' },
    const_spec: { kind: 'constant', list: true },
    var_spec: { kind: 'variable', list: true },
  }),
}

export const rust: LanguageTable = {
  grammar: 'rust',
  rules: rules({
    foreign_mod_item: { body: 'body' },
    'function_item function_signature_item': { kind: 'function' },
    struct_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    union_item: { kind: 'union' },
    trait_item: { kind: 'trait', body: 'body' },
    impl_item: {
      name: 'type',
      pattern: /(?:&\s*)?(?:'\w+\s+)?(?:mut\s+|dyn\s+)*(?:crate::)?([\p{L}_][\w:]*)/uy,
      body: 'body',
    },
    mod_item: { kind: 'module', body: 'body' },
    'const_item static_item': { kind: 'constant' },
    type_item: { kind: 'type' },
    macro_definition: { kind: 'macro' },
  }),
  leading: ['attribute_item', 'inner_attribute_item'],
}

export const zig: LanguageTable = {
  grammar: 'zig',
  rules: rules({
    // A function that returns a struct is a generic type: its members are worth finding.
    function_declaration: {
      kind: 'function',
      body: 'body/<expression_statement>/<return_expression>/<struct_declaration>',
    },
    variable_declaration: {
      kind: 'constant',
      name: '<identifier>',
      unless: /^\s*=\s*@import\b/,
      value: {
        at: '$',
        types: {
          struct_declaration: { kind: 'struct', body: '' },
          enum_declaration: { kind: 'enum', body: '' },
          union_declaration: { kind: 'union', body: '' },
          opaque_declaration: { kind: 'type', body: '' },
          error_set_declaration: { kind: 'type' },
        },
      },
    },
    test_declaration: { kind: 'test', name: '<string>/<string_content>|<identifier>' },
  }),
}

const swiftKinds: Rule['kinds'] = [
  [/\benum\s*$/, 'enum'],
  [/\bstruct\s*$/, 'struct'],
  [/\bextension\s*$/, 'extension'],
  [/\bactor\s*$/, 'actor'],
]

export const swift: LanguageTable = {
  grammar: 'swift',
  rules: rules({
    class_declaration: { kind: 'class', kinds: swiftKinds, pattern: /[\p{L}_][\w.]*/uy, body: 'body' },
    protocol_declaration: { kind: 'protocol', body: 'body' },
    'function_declaration protocol_function_declaration': { kind: 'function' },
    init_declaration: { kind: 'constructor' },
    'property_declaration protocol_property_declaration': {
      kind: 'property',
      pattern: /(?:(?:var|let)\s+)?([\p{L}_]\w*)/uy,
    },
    'typealias_declaration associatedtype_declaration': { kind: 'type' },
  }),
  leading: ['attribute'],
}

const kotlinReceiver: Rule['owner'] = { at: '<user_type>', pattern: /^([\p{L}_]\w*)/u }

export const kotlin: LanguageTable = {
  grammar: 'kotlin',
  rules: rules({
    class_declaration: {
      kind: 'class',
      kinds: [
        [/\binterface\s*$/, 'interface'],
        [/\benum\s+class\s*$/, 'enum'],
      ],
      name: '<type_identifier>',
      body: '<class_body>|<enum_class_body>',
    },
    object_declaration: { kind: 'object', name: '<type_identifier>', body: '<class_body>' },
    companion_object: {
      kind: 'object',
      name: '<type_identifier>',
      fallback: 'Companion',
      body: '<class_body>',
    },
    function_declaration: { kind: 'function', name: '<simple_identifier>', owner: kotlinReceiver },
    property_declaration: {
      kind: 'property',
      kinds: [[/\bconst\s+val\s*$/, 'constant']],
      name: '<variable_declaration>/<simple_identifier>',
      owner: kotlinReceiver,
    },
    secondary_constructor: { kind: 'constructor', name: '<simple_identifier>', fallback: 'constructor' },
    type_alias: { kind: 'type', name: '<type_identifier>' },
  }),
  trailing: ['getter', 'setter'],
}

export const scala: LanguageTable = {
  grammar: 'scala',
  rules: rules({
    class_definition: { kind: 'class', body: 'body' },
    'object_definition package_object': { kind: 'object', body: 'body' },
    trait_definition: { kind: 'trait', body: 'body' },
    enum_definition: { kind: 'enum', body: 'body' },
    extension_definition: { body: 'body' },
    'function_definition function_declaration': { kind: 'function' },
    'val_definition var_definition val_declaration var_declaration': {
      kind: 'property',
      name: 'pattern|name',
    },
    given_definition: { kind: 'property' },
    type_definition: { kind: 'type' },
  }),
  leading: ['annotation'],
}
