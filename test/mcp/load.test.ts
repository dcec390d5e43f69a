/** A short load test: agents over both transports while another process indexes. `npm run bench -- load` is the long one. */

import { expect, it } from 'vitest'
import { runLoad } from '../../build/bench/load/run-load.js'
import { temporary } from './agent.js'

it('gives everyone what is theirs, whole, while the index is being written', async () => {
  const { tallies, runs } = await runLoad({
    ...{ scratch: temporary(), seconds: 3, files: 100, http: 6, stdio: 2, pauseMs: 50 },
  })
  for (const { times, ...wrong } of [tallies.http, tallies.stdio]) {
    expect(wrong).toEqual({ errors: [], foreign: [], torn: 0 })
    expect(times.length).toBeGreaterThan(0)
  }
  expect(runs).toBeGreaterThan(0)
})
