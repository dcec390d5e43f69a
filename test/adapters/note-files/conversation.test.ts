/** Conversations as people and programs write them: whatever is wrong with a line costs that line at most. */

import { expect, test } from 'vitest'
import { readConversation } from '../../../dist/adapters/note-files/conversation.js'

const read = (...lines: readonly unknown[]) =>
  readConversation(
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    'file',
  )

test('turns by session, with what else they say', () => {
  const { drafts, remarks } = read(
    { session: 'a', time: '2024-05-01T10:00:00+02:00', speaker: 'Ada', text: 'hello', mood: { kind: 1 } },
    { session: 'b', time: 1714550400, speaker: 'Bob', text: 'hi', id: 7 },
    { speaker: 'Ada', text: 'no session' },
  )
  expect(remarks).toEqual([])
  expect(drafts.map(({ turns }) => turns)).toEqual([
    [{ session: 'a', time: '2024-05-01T08:00:00.000Z', speaker: 'Ada', text: 'hello', mood: { kind: 1 } }],
    [{ session: 'b', time: '2024-05-01T08:00:00.000Z', speaker: 'Bob', text: 'hi', id: '7' }],
    [{ session: 'file', speaker: 'Ada', text: 'no session' }],
  ])
})

test('bad lines are named by number, and the rest is read', () => {
  const { drafts, remarks } = read(
    '{"session":"a","text":"good"}',
    '{"session":',
    '[1]',
    '"text"',
    '',
    { session: 'a', text: '  ' },
    { session: 'a', text: 4 },
    { session: ' ', text: 'x' },
    { session: {}, text: 'x' },
    { session: 'a', speaker: ['x'], text: 'x' },
    `{"session":"a","text":"${'x'.repeat(5_000_000)}"}`,
    { session: 'a', text: 'also good \ud800' },
  )
  expect(drafts[0]!.turns.map(({ text }) => text)).toEqual(['good', 'also good \ufffd'])
  expect(remarks.map(({ line, isTaken }) => [line, isTaken])).toEqual(
    [2, 3, 4, 6, 7, 8, 9, 10, 11].map(line => [line, false]),
  )
})

test('nonsense of clocks costs the time, not the words', () => {
  const { drafts, remarks } = read(
    { text: 'one' },
    { text: 'two', time: '9999-12-31T00:00:00Z' },
    { text: 'three', time: '2024-05-01' },
    { text: 'four', time: -5 },
    { text: 'five', time: 'next Tuesday-ish' },
    { text: 'six', time: '' },
    { text: 'seven', time: { at: 1 } },
    { text: 'eight', time: '1:56 pm on 8 May, 2023' },
    { text: 'nine', time: 0 },
  )
  const [may, earlier] = ['2024-05-01T00:00:00.000Z', '2023-05-08T13:56:00.000Z']
  expect(drafts[0]!.turns.map(({ text, time, givenTime }) => [text, time, givenTime])).toEqual([
    ['one', may, undefined],
    ['two', may, '9999-12-31T00:00:00Z'],
    ['three', may, undefined],
    ['four', may, -5],
    ['five', may, 'next Tuesday-ish'],
    ['six', may, undefined],
    ['seven', may, { at: 1 }],
    ['eight', earlier, undefined],
    ['nine', earlier, 0],
  ])
  expect(remarks.map(({ line, isTaken }) => [line, isTaken])).toEqual(
    [2, 4, 5, 7, 9].map(line => [line, true]),
  )
})
