/** What an agent should know before it has seen the tools: for AGENTS.md and the skill. Made of what the tools say themselves. */

import { INSTRUCTIONS } from './identity.js'
import { tools } from './tools/index.js'

/** Of one who has no tools but a shell. */
const COMMANDS = [
  ['quarry search "where are requests retried"', 'code by meaning'],
  ['quarry find "how were retries done before"', 'past commits by meaning'],
  ['quarry explain src/http/retry.ts:10-20', 'why these lines are as they are'],
] as const

export const guide = (): string =>
  [
    INSTRUCTIONS,
    '',
    ...tools.map(({ name, description }) => `- \`${name}\`: ${description}`),
    '',
    'Without the tools, in a shell (add `--json` for data):',
    '',
    '```sh',
    ...COMMANDS.map(([command, what]) => `${command}   # ${what}`),
    '```',
    '',
    'Every answer says how fresh it is and what is missing; `warnings` come with the next command. An answer that is cut says how to get more.',
  ].join('\n')

/** When the skill is worth reading, in a sentence or two. */
export const SKILL_DESCRIPTION =
  'Searches this repository by meaning with Quarry: code, git history and the reasons behind lines. ' +
  'Use it to find where something is done, how it was done or fixed before, and why code looks the way it does; for an exact string grep is better.'
