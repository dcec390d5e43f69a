/** Measures Quarry on labelled data. Everything it needs loads with the first call: no other command pays for it. */

import type { RunBench } from './api.js'

export const runBench: RunBench = async request => (await import('./run.js')).runBench(request)
