/** Exports of chat programs, in the shapes that docs/notes.md names. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readNoteFiles } from '../../../dist/adapters/note-files/index.js'

const read = (name: string, content: unknown, format?: Parameters<typeof readNoteFiles>[1]) => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-chats-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'export', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  const [file] = [...readNoteFiles(join(folder, 'export'), format)]
  const turns = file!.drafts.flatMap(draft => (draft.form === 'session' ? draft.turns : []))
  return { file: file!, turns, said: turns.map(({ speaker, text }) => [speaker, text]) }
}

test('ChatGPT: the branch that was shown last, without what the machine says to itself', () => {
  const node = (parent: string | null, role: string, text: unknown, time = 1714550400) => ({
    parent,
    message: {
      id: `m-${text}`,
      author: { role },
      create_time: time,
      content: { content_type: 'text', parts: [text] },
    },
  })
  const mapping = {
    root: { parent: null, message: null },
    s: node('root', 'system', 'be nice'),
    a: node('s', 'user', 'question'),
    old: node('a', 'assistant', 'first try'),
    b: node('a', 'assistant', 'answer', 1714550460),
    c: node('b', 'user', { image: 1 }),
  }
  const { turns, said } = read('conversations.json', [
    { id: 'c1', title: 'A talk', current_node: 'c', mapping },
    {
      id: 'c2',
      title: 'A loop',
      current_node: 'x',
      mapping: { x: node('y', 'user', 'x'), y: node('x', 'user', 'y') },
    },
    { id: 'c3', mapping: 'nonsense' },
  ])
  expect(said).toEqual([
    ['user', 'question'],
    ['assistant', 'answer'],
    ['user', 'y'],
    ['user', 'x'],
  ])
  expect(turns[1]).toEqual({
    ...{ session: 'chatgpt/c1', time: '2024-05-01T08:01:00.000Z', speaker: 'assistant', text: 'answer' },
    ...{ id: 'm-answer', title: 'A talk' },
  })
})

test('Claude: text of older exports, parts of newer ones', () => {
  const { turns, said } = read('conversations.json', [
    {
      ...{ uuid: 'u1', name: 'Named', created_at: '2024-05-01T08:00:00Z' },
      chat_messages: [
        { uuid: 'm1', sender: 'human', text: 'hello', created_at: '2024-05-01T08:00:01.5Z' },
        {
          uuid: 'm2',
          sender: 'assistant',
          text: '',
          content: [{ type: 'text', text: 'hi' }, { type: 'tool_use' }],
        },
        { uuid: 'm3', sender: 'human', text: ' ' },
      ],
    },
  ])
  expect(said).toEqual([
    ['human', 'hello'],
    ['assistant', 'hi'],
  ])
  expect(turns.map(({ session, time, id, title }) => [session, time, id, title])).toEqual([
    ['claude/u1', '2024-05-01T08:00:01.500Z', 'm1', 'Named'],
    ['claude/u1', '2024-05-01T08:00:00.000Z', 'm2', 'Named'],
  ])
})

test('Slack: a day of a channel, without comings and goings', () => {
  const { turns, said } = read('general/2024-05-01.json', [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U1',
      text: '<@U1> has joined',
      ts: '1714550400.000100',
    },
    {
      ...{ type: 'message', user: 'U1', user_profile: { display_name: '', real_name: 'Ada L.' } },
      ...{
        text: 'see <https://x.org/a|the page> &amp; ask <@U2|ben> &lt;3',
        ts: '1714550460.000200',
        thread_ts: 't',
      },
    },
    { type: 'message', user: 'U2', text: '<https://y.org>', ts: '1714550520.000300' },
  ])
  expect(said).toEqual([
    ['Ada L.', 'see the page (https://x.org/a) & ask @ben <3'],
    ['U2', 'https://y.org'],
  ])
  expect(turns[0]).toMatchObject({
    ...{ session: 'slack/general', time: '2024-05-01T08:01:00.000Z', id: '1714550460.000200', thread: 't' },
  })
})

test.each([
  [
    '31/12/2023, 22:15 - Ada: one\nmore of it\n01/01/2024, 00:05 - Messages are encrypted\n01/01/2024, 00:06 - Ben: two',
  ],
  ['[31.12.23, 22:15:00] Ada: one\r\nmore of it\r\n\u200e[01.01.24, 00:06:00] \u200eBen: two'],
  ['12/31/23, 10:15\u202fPM - Ada: one\nmore of it\n1/1/24, 12:06\u202fAM - Ben: two'],
  ['2023-12-31, 22:15 - Ada: one\nmore of it\n2024-01-01, 00:06 - Ben: two'],
])('WhatsApp, as this telephone writes it: %j', text => {
  const { turns } = read('WhatsApp Chat with Ada.txt', text)
  expect(turns).toEqual([
    { session: 'whatsapp/Ada', time: '2023-12-31T22:15:00.000Z', speaker: 'Ada', text: 'one\nmore of it' },
    { session: 'whatsapp/Ada', time: '2024-01-01T00:06:00.000Z', speaker: 'Ben', text: 'two' },
  ])
})

test('what is none of these is said to be none, and a list with dates stays text', () => {
  expect(read('x.json', { some: 'settings' }).file.remarks[0]).toMatchObject({
    isTaken: false,
    message: /shape/,
  })
  expect(read('x.json', '{"broken').file.remarks[0]).toMatchObject({ isTaken: false })
  expect(read('x.json', '{"broken', 'slack').file.remarks[0]).toMatchObject({ message: 'it is not JSON' })
  expect(read('x.json', [], 'claude').file.remarks[0]).toMatchObject({
    message: 'nobody says anything in it',
  })
  expect(read('x.txt', 'My diary\n\n31/12/2023, 22:15 - we danced').file.drafts[0]).toMatchObject({
    form: 'text',
  })
})
