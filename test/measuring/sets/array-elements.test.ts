import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { arrayElements } from '../../../dist/measuring/sets/array-elements.js'

const fileWith = (text: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-elements-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'list.json'), text)
  return join(directory, 'list.json')
}

it('cuts a list larger than one read into its elements, whatever their strings hold', async () => {
  const elements = Array.from({ length: 40 }, (_, number) => ({
    number,
    text: `"quoted" \\ ]}[{ ✓ ${'é'.repeat(40_000)}\\"`,
    nested: [{ a: ['}'] }],
  }))
  const file = fileWith(JSON.stringify(elements, null, 1))
  const found: unknown[] = []
  let bytes = 0
  for await (const { text } of arrayElements(file, piece => {
    bytes += piece.length
  }))
    found.push(JSON.parse(text))
  expect(found).toEqual(elements)
  expect(bytes).toBeGreaterThan(3 << 20)
})

it('says at which line an element begins', async () => {
  const places: string[] = []
  for await (const { place } of arrayElements(fileWith('[\n{"a":1},\n\n{"b":\n2}]')))
    places.push(place.split(':').at(-1)!)
  expect(places).toEqual(['2', '4'])
})
