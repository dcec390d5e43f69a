import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diversify } from '../../dist/ranking/diversify.js'

const cap = (items: string, most: number, limit = 100) =>
  diversify([...items], item => item, most, limit).join('')

describe('diversify', () => {
  it('drops what a file has too much of and keeps the order', () => {
    expect(cap('aaaaba', 3)).toBe('aaab')
    expect(cap('abac', 1)).toBe('abc')
  })

  it('refills from further down, so that one huge file cannot leave the answer short', () => {
    expect(cap('aaaaaabcde', 2, 5)).toBe('aabcd')
  })

  it('is off with a cap of 0', () => {
    expect(cap('aaaab', 0, 4)).toBe('aaaa')
  })

  it('never re-orders, never exceeds cap or limit, and leaves nothing out that would fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c')),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(12),
        (items, most, limit) => {
          const entries = items.map((group, position) => ({ group, position }))
          const kept = diversify(entries, entry => entry.group, most, limit)
          expect(kept.map(entry => entry.position)).toEqual(
            [...kept].map(entry => entry.position).sort((a, b) => a - b),
          )
          const possible = ['a', 'b', 'c'].reduce(
            (sum, group) => sum + Math.min(most, items.filter(item => item === group).length),
            0,
          )
          expect(kept).toHaveLength(Math.min(limit, possible))
        },
      ),
    )
  })
})
