/** Elixir and Haskell. */

import { type DefinitionRule, rule } from './rule.js'

export const elixir: readonly DefinitionRule[] = [
  rule(
    '(?<word>defmodule|defprotocol|defimpl|defmacrop?|defguardp?|defdelegate|defp?)[ (]+(?<name>[A-Za-z_][\\w.]*[?!]?)',
  ),
  rule('(?<word>test) +"(?<name>[^"]+)"'),
]

export const haskell: readonly DefinitionRule[] = [
  rule(
    String.raw`(?<word>data|newtype|type|class|module)(?: +(?:family|instance))? +(?:[^=]*=> *)?(?<name>[A-Z][\w.']*)`,
    {
      margin: true,
    },
  ),
  rule(
    String.raw`(?<word>instance) +(?:\{-#.*#-\} +)?(?:.*=> *)?(?<name>[A-Z][\w.']*(?: +\(?[A-Z][\w.']*)?)`,
    {
      margin: true,
    },
  ),
  rule(
    String.raw`(?!(?:import|infix[lr]?|foreign|deriving|where|pattern|default|module|data|newtype|type|class|instance)\b)(?<name>[a-z_][\w']*)(?: |$)`,
    { kind: 'function', margin: true },
  ),
]
