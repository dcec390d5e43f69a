/** The notebook keeps what it was given: through crashes of order, damage, newer and older formats. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { type NotebookOptions, notebookFile, sqliteNotebook } from '../../../dist/adapters/notebook/index.js'
import type { NoteDocument } from '../../../dist/core/notes.js'
import { randomNumbers } from '../stores/sqlite/processes.js'

const NOTEBOOK = resolve(import.meta.dirname, '../../../dist/adapters/notebook/index.js')

const place = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-notebook-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'notes')
}

const open = (directory: string, options: Partial<NotebookOptions> = {}) => {
  const notebook = sqliteNotebook({ directory, ...options })
  onTestFinished(() => notebook.close())
  return notebook
}

const note = (name: string, more: Partial<NoteDocument> = {}): NoteDocument => ({
  ...{
    name,
    form: 'note',
    text: `text of ${name}`,
    tags: [],
    time: 1_700_000_000_000,
    added: 1_700_000_000_001,
  },
  ...{ origin: null, session: null },
  ...more,
})

/** A notebook with so many notes, closed. */
const filled = async (directory: string, count: number): Promise<void> => {
  const notebook = sqliteNotebook({ directory })
  await notebook.write(page => {
    for (let number = 0; number < count; number++)
      page.put(note(`n${String(number).padStart(4, '0')}`, { text: `number ${number} `.repeat(50) }))
  })
  notebook.close()
}

test('asking makes no notebook; writing makes one that only its owner can read', async () => {
  const directory = place()
  const notebook = open(directory)
  expect([
    notebook.isThere(),
    await notebook.list(),
    await notebook.stamp(),
    await notebook.check(true),
  ]).toEqual([...[false, [], '', []]])
  expect(existsSync(directory)).toBe(false)
  await notebook.write(page => page.put(note('a')))
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  for (const file of readdirSync(directory)) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
})

test('what goes in comes out, NUL, control characters and strange names among it', async () => {
  const notebook = open(place())
  const strange = note('sessions/ß\'"%_/2024-05-01', {
    ...{ form: 'session', session: 'a\0b"\\', text: 'NUL \0, ESC \u001b, 😀, \u2028', tags: ['a b', 'ü'] },
    ...{ time: 0, origin: '/a file' },
  })
  await notebook.write(page => page.put(strange))
  expect(await notebook.get(strange.name)).toEqual(strange)
  expect(await notebook.get('a\0b')).toBeNull()
  const { text, ...facts } = strange
  expect(await notebook.list({ session: 'a\0b"\\' })).toEqual([
    { ...facts, bytes: Buffer.byteLength(text), stamp: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ])
})

test('lists by session, by form, and by all tags together', async () => {
  const notebook = open(place())
  await notebook.write(page => {
    page.put(note('a', { tags: ['x', 'y'] }))
    page.put(note('b', { tags: ['x'], form: 'markdown' }))
    page.put(note('c', { session: 's', form: 'session' }))
  })
  const names = async (filter: Parameters<typeof notebook.list>[0]) =>
    (await notebook.list(filter)).map(({ name }) => name)
  expect(await names({})).toEqual(['a', 'b', 'c'])
  expect(await names({ tags: ['x'] })).toEqual(['a', 'b'])
  expect(await names({ tags: ['y', 'x'] })).toEqual(['a'])
  expect(await names({ session: 's' })).toEqual(['c'])
  expect(await names({ form: 'markdown', tags: ['y'] })).toEqual([])
})

test('a failing write leaves nothing, and the stamp changes with every change only', async () => {
  const notebook = open(place())
  await notebook.write(page => page.put(note('a')))
  const stamp = await notebook.stamp()
  const failing = notebook.write(page => {
    page.put(note('b'))
    page.remove('a')
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect((await notebook.list()).map(({ name }) => name)).toEqual(['a'])
  expect(await notebook.stamp()).toBe(stamp)
  expect(await notebook.write(page => page.remove('nowhere'))).toBe(false)
  expect(await notebook.stamp()).toBe(stamp)
  expect(await notebook.write(page => page.remove('a'))).toBe(true)
  expect(await notebook.stamp()).not.toBe(stamp)
})

test('what is removed leaves no trace in the file', async () => {
  const directory = place()
  const notebook = open(directory)
  await notebook.write(page => page.put(note('a', { text: 'the password is xyzzy-plugh' })))
  await notebook.write(page => page.remove('a'))
  for (const file of readdirSync(directory))
    expect(readFileSync(join(directory, file)).includes('xyzzy-plugh')).toBe(false)
  expect(readFileSync(notebookFile(directory)).length).toBeGreaterThan(8_000)
})

test('a newer notebook, or the file of another program, is refused and left as it is', async () => {
  const directory = place()
  await filled(directory, 3)
  const change = (pragma: string) => {
    const database = new DatabaseSync(notebookFile(directory))
    database.exec(pragma)
    database.close()
  }
  change('PRAGMA user_version = 7')
  const before = readFileSync(notebookFile(directory))
  for (const act of [
    (n: ReturnType<typeof open>) => n.list(),
    (n: ReturnType<typeof open>) => n.write(() => 1),
  ])
    await expect(act(open(directory))).rejects.toMatchObject({ code: 'NOTES_TOO_NEW', hint: /install/ })
  await expect(open(directory).check(true)).rejects.toMatchObject({ code: 'NOTES_TOO_NEW' })
  expect(readFileSync(notebookFile(directory)).equals(before)).toBe(true)
  change('PRAGMA user_version = 1; PRAGMA application_id = 1')
  await expect(open(directory).list()).rejects.toMatchObject({ code: 'NOTES_DAMAGED' })
  writeFileSync(notebookFile(directory), '')
  await expect(open(directory).list()).rejects.toMatchObject({ code: 'NOTES_DAMAGED', message: /empty/ })
})

test('an older notebook is backed up before its first step, and every step is taken', async () => {
  const directory = place()
  await filled(directory, 5)
  const steps = [
    { to: 2, sql: "ALTER TABLE notes ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'" },
    { to: 3, sql: "UPDATE notes SET mood = 'changed' WHERE name = 'n0001'" },
  ]
  const newer = open(directory, { format: { version: 3, steps } })
  expect(await newer.list()).toHaveLength(5)
  newer.close()
  const look = (file: string, sql: string) => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return Object.values(database.prepare(sql).get() as object)
    } finally {
      database.close()
    }
  }
  expect(look(notebookFile(directory), "SELECT mood FROM notes WHERE name = 'n0001'")).toEqual(['changed'])
  expect(look(notebookFile(directory), 'SELECT user_version FROM pragma_user_version')).toEqual([3])
  const [backup] = readdirSync(directory).filter(name => name.endsWith('.backup'))
  expect(backup).toBe('notebook.sqlite.format-1.backup')
  expect(statSync(join(directory, backup!)).mode & 0o777).toBe(0o600)
  expect(look(join(directory, backup!), 'SELECT count(*) FROM notes')).toEqual([5])
  expect(look(join(directory, backup!), 'SELECT user_version FROM pragma_user_version')).toEqual([1])
  await expect(open(directory).list()).rejects.toMatchObject({ code: 'NOTES_TOO_NEW' })
})

test('killed while it changes its format, it has the old one or the new one, and every note', {
  timeout: 120_000,
}, async () => {
  const random = randomNumbers(3)
  const sql =
    'ALTER TABLE notes ADD COLUMN mood TEXT; UPDATE notes SET mood = hex(text); UPDATE notes SET mood = lower(mood)'
  const format = { version: 2, steps: [{ to: 2, sql }] }
  const versions: number[] = []
  const original = place()
  await filled(original, 1_500)
  for (let kill = 0; kill < 16; kill++) {
    const directory = `${original}-${kill}`
    mkdirSync(directory)
    copyFileSync(notebookFile(original), notebookFile(directory))
    const script = `
      const { sqliteNotebook } = await import(${JSON.stringify(NOTEBOOK)})
      process.stdout.write('ready')
      await sqliteNotebook(${JSON.stringify({ directory, format })}).list()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    const ended = once(child, 'close')
    await once(child.stdout, 'data')
    await pause(random() * 150)
    child.kill('SIGKILL')
    await ended
    const database = new DatabaseSync(notebookFile(directory))
    const { version } = database.prepare('SELECT user_version AS version FROM pragma_user_version').get() as {
      version: number
    }
    const { done } = database
      .prepare(`SELECT count(*) AS done FROM notes ${version === 2 ? 'WHERE mood = lower(hex(text))' : ''}`)
      .get() as { done: number }
    database.close()
    versions.push(version)
    expect([version < 3, done]).toEqual([true, 1_500])
    const backup = `${notebookFile(directory)}.format-1.backup`
    if (version === 2) expect(existsSync(backup)).toBe(true)
    const after = open(directory, { format })
    expect([(await after.list()).length, await after.check(true)]).toEqual([1_500, []])
  }
  expect(versions).toContain(1)
})

test('a step that fails leaves the notebook as it was', async () => {
  const directory = place()
  await filled(directory, 2)
  const steps = [{ to: 2, sql: 'DROP TABLE notes; SELECT nonsense FROM nowhere' }]
  await expect(open(directory, { format: { version: 2, steps } }).list()).rejects.toThrow()
  expect(await open(directory).list()).toHaveLength(2)
})

test('flipped bytes are found, and what can still be read is saved', async () => {
  const directory = place()
  await filled(directory, 400)
  const file = notebookFile(directory)
  const whole = readFileSync(file)
  // A value: SQLite itself sees nothing wrong with it.
  const text = Buffer.from(whole)
  text.write('X', text.indexOf('number 77 number 77'))
  writeFileSync(file, text)
  expect(await open(directory).check(false)).toEqual([])
  expect(await open(directory).check(true)).toEqual(['the note n0077 is not as it was written'])
  // Whole pages in the middle.
  const pages = Buffer.from(whole)
  pages.fill(0xee, 16 * 4096, 20 * 4096)
  writeFileSync(file, pages)
  expect((await open(directory).check(true)).length).toBeGreaterThan(0)
  const { notes, lost } = await open(directory).salvage()
  expect(notes.length).toBeGreaterThan(300)
  expect(notes.length + lost.length).toBeGreaterThanOrEqual(380)
  expect(notes.every(({ name, text }) => text.startsWith(`number ${Number(name.slice(1))} `))).toBe(true)
  expect(readFileSync(file).equals(pages)).toBe(true)
})

test('any flipped byte is found, or changed no note', async () => {
  const directory = place()
  await filled(directory, 60)
  const whole = readFileSync(notebookFile(directory))
  const random = randomNumbers(7)
  const expected = JSON.stringify((await open(directory).salvage()).notes)
  const unseen: number[] = []
  let found = 0
  for (let flip = 0; flip < 150; flip++) {
    const copy = `${directory}-${flip}`
    mkdirSync(copy)
    const at = Math.floor(random() * whole.length)
    const bytes = Buffer.from(whole)
    bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8))
    writeFileSync(notebookFile(copy), bytes)
    const notebook = sqliteNotebook({ directory: copy })
    const faults = await notebook.check(true).catch(({ code }) => [code])
    if (faults.length > 0) found++
    else if (JSON.stringify((await notebook.salvage()).notes) !== expected) unseen.push(at)
    notebook.close()
  }
  expect(unseen).toEqual([])
  expect(found).toBeGreaterThan(50)
})

test('in a directory that may not be written everything can still be read', async () => {
  const directory = place()
  await filled(directory, 2)
  chmodSync(directory, 0o555)
  for (const file of readdirSync(directory)) chmodSync(join(directory, file), 0o444)
  chmodSync(dirname(directory), 0o755)
  onTestFinished(() => chmodSync(directory, 0o700))
  // Root may write anywhere: the trial is made as nobody.
  const script = `
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    const { sqliteNotebook } = await import(${JSON.stringify(NOTEBOOK)})
    const notebook = sqliteNotebook({ directory: ${JSON.stringify(directory)} })
    const names = (await notebook.list()).map(({ name }) => name)
    const failure = await notebook.write(page => page.remove('n0001')).catch(({ code }) => code)
    console.log(JSON.stringify([names, failure]))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([['n0000', 'n0001'], 'BAD_PATH'])
})
