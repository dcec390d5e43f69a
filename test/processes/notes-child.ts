/** The other process of the notes' fault tests: remembers one thing after the other through the public API, and says so. */

import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openQuarry } from '#dist/index.js'

const [root = '', prefix = '', count = '1000000', pauseMs = '0'] = process.argv.slice(2)
const quarry = await openQuarry({ root })
// What several chunks of text would be: a write that takes more than a page.
const body = ' and so on'.repeat(500)
for (let number = 0; number < Number(count); number++) {
  const { id } = await quarry.notes.remember(`${prefix} ${number}${body}`)
  // At once: an acknowledgement that waits in a buffer would be none.
  writeSync(1, `${JSON.stringify({ id, number })}\n`)
  // Time for the other side to look at the files as they are now.
  if (pauseMs !== '0') await pause(Number(pauseMs))
}
await quarry.close()
