/** Python, Ruby, PHP, Lua and Bash. */

import { type LanguageTable, type Rule, rules, WRAPPER } from './table.js'

export const python: LanguageTable = {
  grammar: 'python',
  rules: rules({
    'decorated_definition expression_statement block': WRAPPER,
    'if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement': WRAPPER,
    function_definition: { kind: 'function' },
    class_definition: { kind: 'class', body: 'body' },
    assignment: {
      kind: 'constant',
      name: 'left',
      pattern: /[\p{L}_][\p{L}\p{N}_]*(?=\s*[=:])/uy,
      outermost: true,
    },
    type_alias_statement: { kind: 'type', name: 'left', pattern: /\w+/y },
  }),
  leading: ['decorator'],
}

export const ruby: LanguageTable = {
  grammar: 'ruby',
  rules: rules({
    singleton_class: { body: 'body' },
    argument_list: WRAPPER,
    module: { kind: 'module', body: 'body' },
    class: { kind: 'class', body: 'body' },
    'method singleton_method alias': { kind: 'method' },
    assignment: {
      kind: 'constant',
      name: 'left',
      pattern: /[A-Z]\w*/y,
      value: { at: 'right', types: { call: { kind: 'constant', body: 'block/body' } } },
    },
    call: {
      keyword: {
        at: 'method',
        words: {
          define_method: { kind: 'method', name: 'arguments', pattern: /\(?\s*[:'"]+([\w?!]+)/y },
          alias_method: { kind: 'method', name: 'arguments', pattern: /\(?\s*[:'"]+([\w?!]+)/y },
          private: WRAPPER,
          protected: WRAPPER,
          public: WRAPPER,
          private_class_method: WRAPPER,
          module_function: WRAPPER,
        },
      },
    },
  }),
}

export const php: LanguageTable = {
  grammar: 'php',
  rules: rules({
    'expression_statement const_declaration': WRAPPER,
    // `if (!function_exists('first')) { function first() {} }`
    'if_statement compound_statement': {
      wrapper: true,
      holds: /\b(?:function|class|interface|trait)\s+\w/,
    },
    function_call_expression: {
      keyword: {
        at: 'function',
        words: { define: { kind: 'constant', name: 'arguments', pattern: /\(\s*['"](\w+)/y } },
      },
    },
    namespace_definition: { kind: 'namespace', body: 'body', requires: 'body' },
    class_declaration: { kind: 'class', body: 'body' },
    interface_declaration: { kind: 'interface', body: 'body' },
    trait_declaration: { kind: 'trait', body: 'body' },
    enum_declaration: { kind: 'enum', body: 'body' },
    'function_definition method_declaration': { kind: 'function' },
    const_element: { kind: 'constant', name: '<name>' },
    assignment_expression: {
      name: 'left',
      pattern: /\$(\w+)/y,
      value: {
        at: 'right',
        types: {
          arrow_function: { kind: 'function' },
          anonymous_function_creation_expression: { kind: 'function' },
          anonymous_function: { kind: 'function' },
        },
      },
    },
  }),
  leading: ['attribute_list'],
}

const luaTypes = {
  function_definition: { kind: 'function' },
  table: { kind: 'constant', body: '<field_list>' },
  table_constructor: { kind: 'constant', body: '' },
}

const luaVariable: Rule = {
  kind: 'constant',
  name: '<variable_list>/<variable>|<variable_list>/name',
  // `local insert = table.insert` only gives a name to what has one already.
  unless: /^\s*=\s*(?:require\b|[\w.]+[ \t]*(?:\n|$))/,
  outermost: true,
  value: { at: '<expression_list>/value', types: luaTypes },
}

export const lua: LanguageTable = {
  grammar: 'lua',
  rules: rules({
    'function_definition_statement local_function_definition_statement function_declaration': {
      kind: 'function',
    },
    variable_declaration: WRAPPER,
    'local_variable_declaration variable_assignment assignment_statement': luaVariable,
    field: { name: 'key|name', value: { at: 'value', types: { function_definition: { kind: 'function' } } } },
  }),
}

export const bash: LanguageTable = {
  grammar: 'bash',
  rules: rules({
    'declaration_command if_statement else_clause': WRAPPER,
    function_definition: { kind: 'function' },
    variable_assignment: { kind: 'variable', pattern: /[A-Za-z_]\w*/y, outermost: true },
  }),
}
