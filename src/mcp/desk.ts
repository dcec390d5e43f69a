/** Where calls are taken: the list of tools, and a call from its arguments to its result. Knows nothing of the transport. */

import type { Tool as ListedTool, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { nearest } from '../config/nearest.js'
import { QuarryError } from '../core/errors.js'
import { HARD_CAP_TOKENS } from './budget.js'
import { failureResult } from './failure.js'
import { progressNotes } from './progress.js'
import type { Root } from './root.js'
import { tools } from './tools/index.js'
import type { Call, Tool, ToolResult } from './tools/tool.js'

type Caller = Pick<ServerContext['mcpReq'], 'signal' | 'notify' | '_meta'>

export interface Desk {
  readonly list: readonly ListedTool[]
  /** null where there is no such tool. */
  call(name: string, given: unknown, caller: Caller): Promise<ToolResult | null>
}

/** Roots by the names that calls use; the first one is taken where none is named. */
export const openDesk = (roots: ReadonlyMap<string, Root>): Desk => {
  const offered = new Map(tools.map(tool => [tool.name, withRepo(tool, [...roots.keys()])]))
  return {
    list: [...offered.values()].map(listed),
    async call(name, given, caller) {
      const tool = offered.get(name)
      return tool === undefined ? null : runTool(tool, given, roots, caller)
    },
  }
}

const runTool = async (
  tool: Tool,
  given: unknown,
  roots: ReadonlyMap<string, Root>,
  { signal, notify, _meta }: Caller,
): Promise<ToolResult> => {
  let isOver = false
  const token = _meta?.progressToken
  const report = progressNotes(note => {
    if (isOver || token === undefined) return
    notify({ method: 'notifications/progress', params: { progressToken: token, ...note } }).catch(() => {})
  })
  try {
    const { repo, ...parameters } = check(tool, given)
    const root = roots.get(typeof repo === 'string' ? repo : [...roots.keys()][0]!)!
    const call: Call = { root, signal, onProgress: report }
    return await tool.run(parameters, call)
  } catch (error) {
    return failureResult(error)
  } finally {
    isOver = true
  }
}

/** With one directory there is nothing to choose, and a parameter less to pay for. */
const withRepo = (tool: Tool, names: readonly string[]): Tool =>
  names.length < 2
    ? tool
    : {
        ...tool,
        parameters: tool.parameters.extend({
          // The first is taken where none is named.
          repo: z.enum(names).optional(),
        }),
      }

/** Every search may bring the index up to date, which is Quarry's own; what the user has only `remember` adds to. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const OBJECT = 'object'

/** Checked all the same, but nobody who writes a question needs to read how long it may be. */
const withoutLengths = <Schema>(schema: Schema): Schema =>
  JSON.parse(
    JSON.stringify(schema, (key, part) => (key === 'minLength' || key === 'maxLength' ? undefined : part)),
  )

const listed = ({ name, title, description, parameters, result, writes = false }: Tool): ListedTool => {
  const { $schema, ...schema } = withoutLengths(z.toJSONSchema(parameters, { io: 'input' }))
  return {
    name,
    title,
    description,
    inputSchema: { ...(schema as Omit<ListedTool['inputSchema'], 'type'>), type: OBJECT },
    outputSchema: {
      type: OBJECT,
      properties: Object.fromEntries(Object.entries(result).map(([key, type]) => [key, { type }])),
    },
    annotations: { ...ANNOTATIONS, readOnlyHint: !writes },
    // Claude Code would otherwise move an answer of more than 50,000 characters to a file, whoever asked for it.
    ...(!writes && { _meta: { 'anthropic/maxResultSizeChars': 5 * HARD_CAP_TOKENS } }),
  }
}

const check = (tool: Tool, given: unknown): Record<string, unknown> => {
  const checked = tool.parameters.safeParse(given)
  if (checked.success) return checked.data
  const known = Object.keys(tool.parameters.shape)
  const [issue] = checked.error.issues
  const hint = `${tool.name} takes ${known.join(', ')}`
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys
    const guess = nearest(unknown.slice(0, 100), known)
    const message = `${issue.keys
      .slice(0, 10)
      .map(key => JSON.stringify(key.slice(0, 100)))
      .join(', ')} is no parameter of ${tool.name}`
    throw new QuarryError('BAD_INPUT', message, {
      hint: guess === undefined ? hint : `did you mean ${guess}? ${hint}`,
    })
  }
  const where = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.')
  throw new QuarryError('BAD_INPUT', `${where}: ${issue?.message ?? 'not understood'}`, { hint })
}
