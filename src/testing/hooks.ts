/** What a suite needs of a test runner. Vitest, Jest and their like fit as they are; nothing is imported from them. */

export interface Hooks {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
  expect(value: unknown): Expectation
}

export interface Expectation {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toBeCloseTo(expected: number, digits?: number): void
  toBeGreaterThan(expected: number): void
  toBeLessThanOrEqual(expected: number): void
  toHaveLength(expected: number): void
  readonly rejects: { toMatchObject(expected: object): Promise<void> }
}
