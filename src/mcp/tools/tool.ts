/** What a tool is to the server: a name, what the list says of it, and what it does with checked arguments. */

import type { z } from 'zod'
import type { Progress } from '../../core/answers.js'
import type { Root } from '../root.js'

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: Record<string, unknown>
  readonly isError?: boolean
}

/** What a call brings along besides its arguments. */
export interface Call {
  readonly root: Root
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: z.ZodObject
  /** Writes what the user has, and not only what Quarry makes of it. */
  readonly writes?: boolean
  /** What the list says of the result. Short: docs/mcp.md has all of it, and an agent pays for each word. */
  readonly result: Readonly<Record<string, 'array' | 'object' | 'boolean' | 'string' | 'integer'>>
  readonly run: (given: unknown, call: Call) => Promise<ToolResult>
}

/** Keeps the type of the parameters for `run`, which the table of tools no longer knows. */
export const tool = <Parameters extends z.ZodObject>(
  definition: Omit<Tool, 'parameters' | 'run'> & {
    readonly parameters: Parameters
    readonly run: (given: z.output<Parameters>, call: Call) => Promise<ToolResult>
  },
): Tool => ({
  ...definition,
  run: (given, call) => definition.run(given as z.output<Parameters>, call),
})
