#!/usr/bin/env node
/** What people run, as the compiler leaves it. A build puts the bundle of `start.ts` in its place (`scripts/bundle-cli.ts`). */

import './start.js'
