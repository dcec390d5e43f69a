/** `remember`: the one tool that writes. Adds a note; takes nothing away. */

import { z } from 'zod'
import { sanitiseLine } from '../../present/sanitise.js'
import { momentOf } from './parameters.js'
import { tool } from './tool.js'

export const remember = tool({
  name: 'remember',
  title: 'Remember',
  description:
    'Notes one fact, decision or preference for later sessions; recall finds it. ' +
    'One self-contained sentence or two, with names and dates. Never secrets.',
  parameters: z.strictObject({
    text: z.string().min(1).max(100_000),
    tags: z.array(z.string()).max(20).optional(),
    time: z.string().optional().describe('default now'),
  }),
  writes: true,
  result: { id: 'string', isNew: 'boolean' },
  async run({ text, tags, time }, call) {
    const at = momentOf('since', time, 'time')
    const { notes } = await call.root.quarry()
    const noted = await notes.remember(text, { ...(tags && { tags }), ...(at !== undefined && { time: at }) })
    const said = noted.isNew ? 'Noted' : 'Noted before'
    return {
      content: [
        {
          type: 'text',
          text: `${said}, as ${sanitiseLine(noted.id)}. To undo: quarry forget ${sanitiseLine(noted.id)}`,
        },
      ],
      structuredContent: { ...noted },
    }
  },
})
