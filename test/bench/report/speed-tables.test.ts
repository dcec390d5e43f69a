/** The table of docs/speed.md: of each figure the newest, beside its goal. */

import { expect, test } from 'vitest'
import { speedTable } from '../../../build/bench/report/speed-tables.js'

const line = (what: string, metrics: Record<string, number>) => ({
  ...{ name: 'speed', command: 'npm run bench -- speed', commit: 'a', dataHash: 'b', date: 'c', n: 1 },
  ...{ machine: { cores: 2, cpu: 'x', node: 'v20', memoryGB: 1 }, config: { what }, metrics },
})

test('shows the newest figures, and leaves open what was never measured', () => {
  const text = speedTable([
    line('one-shot search, 1,000 files', { searchMilliseconds: 500, ratio: 6 }),
    line('one-shot search, 1,000 files', { searchMilliseconds: 320, ratio: 4.1 }),
    line('unchanged re-index, 35,000 files', { index: 0.5, toListing: 44.6, toStatus: 4.2 }),
  ])
  expect(text).toMatch(/`quarry search` in 1,000 files +\| +320\.0 +\| ms +\| ≤ 350/)
  expect(text).toMatch(/4\.1 +\| × an empty Node program/)
  expect(text).toMatch(/unchanged +\| +500\.0 +\| ms/)
  expect(text).toMatch(/44\.6 +\| × `git ls-files` +\| ≤ 2/)
  expect(text).not.toContain('NaN')
})
