import { defineConfig } from 'vitest/config'

/** Tests run against the built package in `dist/`, so that what is tested is what ships (workers, assets, binary). */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
