/** What went wrong, as a tool result: the code, the message and the next thing to do. Never a stack. */

import { QuarryError } from '../core/errors.js'
import { sanitiseLine } from '../present/sanitise.js'
import type { ToolResult } from './tools/tool.js'

const LONGEST_MESSAGE = 1_000

export const failureResult = (error: unknown): ToolResult => {
  const { code, message, hint } = failureOf(error)
  const said = { code, message: brief(message), ...(hint !== undefined && { hint: brief(hint) }) }
  const next = said.hint === undefined ? '' : `\nnext: ${said.hint}`
  return {
    isError: true,
    content: [{ type: 'text', text: `${said.code}: ${said.message}${next}` }],
    structuredContent: { error: said },
  }
}

const failureOf = (error: unknown): { code: string; message: string; hint?: string | undefined } => {
  if (error instanceof QuarryError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'INTERNAL', message: message || 'something unexpected went wrong', hint: 'quarry doctor' }
}

const brief = (text: string): string => {
  const line = sanitiseLine(text)
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : line
}
