/** Loaded into a server with `--import`: writes down how late its event loop runs, and touches nothing else. */

import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const path = process.env.LOAD_LOOP_FILE
if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6
  const writeDown = () => {
    const { p50, p99, max } = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max }
    const line = { p50: milliseconds(p50), p99: milliseconds(p99), max: milliseconds(max) }
    writeFileSync(path, JSON.stringify(line))
  }
  writeDown()
  setInterval(writeDown, 1_000).unref()
}
