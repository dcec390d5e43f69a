/** FAULTS 4, 5, 43: directories, permissions, full disks, network drives, and several processes that start at once. */

import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refuseNetworkFileSystem } from '../../../../dist/adapters/stores/sqlite/network-file-system.js'
import { sampleDocument } from '../../../../dist/testing/index.js'
import { script, startChild, watch } from './processes.js'
import { indexFile } from './raw.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const NOBODY = 65534
const isRoot = process.getuid?.() === 0

const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('files of an index', () => {
  it('belong to their owner alone', async () => {
    const directory = join(scratchDirectory(), 'a', 'b')
    const writer = await storeIn(directory).openWriter(IDENTITY)
    await writer.commit([sampleDocument('a.ts', ['one'])], [])
    const names = readdirSync(directory).sort()
    expect(names).toEqual(['index.sqlite', 'index.sqlite-shm', 'index.sqlite-wal'])
    expect([permissions(directory), ...names.map(name => permissions(join(directory, name)))]).toEqual([
      '700',
      '600',
      '600',
      '600',
    ])
    await writer.close()
    chmodSync(directory, 0o755)
    await (await storeIn(directory).openWriter(IDENTITY)).close()
    expect(permissions(directory)).toBe('700')
  })

  it('do not outlive a purge', async () => {
    const directory = join(scratchDirectory(), 'index')
    const writer = await storeIn(directory).openWriter(IDENTITY)
    await writer.commit([sampleDocument('a.ts', ['one'])], [])
    await writer.close()
    writeFileSync(join(directory, 'neighbour'), 'stays')
    await storeIn(directory).purge()
    expect(readdirSync(directory)).toEqual(['neighbour'])
  })

  it('are not many: a closed index leaves no handles behind', async () => {
    const directory = join(scratchDirectory(), 'index')
    const handles = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
    const cycle = async (): Promise<void> => {
      const writer = await storeIn(directory).openWriter(IDENTITY)
      await writer.known('code')
      await writer.close()
      const reader = await storeIn(directory).openReader()
      await reader.state()
      await reader.close()
    }
    await cycle()
    const before = handles()
    for (let round = 0; round < 50; round++) await cycle()
    expect(handles()).toBeLessThanOrEqual(before + 3)
  })

  it('are set aside when a log has lost its index', async () => {
    const directory = join(scratchDirectory(), 'index')
    const child = startChild(['sequence', directory, '20', '5'])
    await child.line()
    await child.kill()
    rmSync(indexFile(directory))
    expect(statSync(`${indexFile(directory)}-wal`).size).toBeGreaterThan(0)
    const writer = await storeIn(directory).openWriter(IDENTITY)
    expect((await writer.known('code')).size).toBe(0)
    await writer.close()
    expect(await storeIn(directory).check(true)).toEqual([])
    expect(readdirSync(directory)).toContain('index.sqlite-wal.orphaned')
  })

  it('that an interrupted creation left behind are swept after a while', async () => {
    const directory = join(scratchDirectory(), 'index')
    mkdirSync(directory, { recursive: true })
    const [old, young] = ['index.sqlite.1-aa.new', 'index.sqlite.2-bb.new'].map(name =>
      join(directory, name),
    ) as [string, string]
    for (const file of [old, young]) writeFileSync(file, 'draft')
    utimesSync(old, 1000, 1000)
    await (await storeIn(directory).openWriter(IDENTITY)).close()
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })
})

describe('a directory that may not be written', () => {
  it('is read, and writing is refused with a word about it', async () => {
    const directory = join(scratchDirectory(), 'index')
    const writer = await storeIn(directory).openWriter(IDENTITY)
    await writer.commit([sampleDocument('a.ts', ['one'])], [])
    await writer.close()
    for (const suffix of ['-wal', '-shm']) rmSync(indexFile(directory) + suffix, { force: true })
    // Root may write anywhere, so the other process is nobody.
    const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    if (isRoot) for (const path of [directory, indexFile(directory)]) chownSync(path, NOBODY, NOBODY)
    chmodSync(join(directory, '..'), 0o755)
    chmodSync(directory, 0o500)
    const child = startChild(['open', directory], identity)
    expect(await child.line()).toEqual({ reader: 'ok', writer: 'BAD_PATH' })
    chmodSync(directory, 0o700)
  })

  it('and has no index yet is refused', async () => {
    const directory = join(scratchDirectory(), 'index')
    mkdirSync(directory, { mode: 0o500 })
    chmodSync(join(directory, '..'), 0o755)
    if (isRoot) chownSync(directory, NOBODY, NOBODY)
    const child = startChild(['open', directory], isRoot ? { uid: NOBODY, gid: NOBODY } : {})
    expect(await child.line()).toEqual({ reader: 'INDEX_MISSING', writer: 'BAD_PATH' })
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('a full disk', () => {
  const expectSurvival = async (child: ReturnType<typeof watch>): Promise<void> => {
    const refusal = await child.line()
    expect(refusal).toMatchObject({ event: 'refused', code: 'DISK_FULL' })
    expect(refusal?.message).toMatch(/[\d.]+ MB needed, [\d.]+ MB free/)
    const still = await child.line()
    expect(still).toMatchObject({ event: 'still', faults: [] })
    expect(still?.documents).toBeGreaterThan(2)
  }

  it('by a limit on file sizes stops the writer, keeps what was there, and goes on when there is room', async () => {
    const directory = join(scratchDirectory(), 'index')
    // Without the trap the kernel kills the process instead of failing the write.
    const command = `trap '' XFSZ; ulimit -f 3000; exec "$0" "$@"`
    const limited = watch(
      spawn('bash', ['-c', command, process.execPath, script, 'fill', directory, 'a'], { stdio: 'pipe' }),
    )
    await expectSurvival(limited)
    await limited.ended()
    const store = storeIn(directory)
    const before = (await (await store.openReader()).state()).documents
    const writer = await store.openWriter(IDENTITY)
    await writer.commit([sampleDocument('late.ts', ['room again'])], [])
    await writer.close()
    expect((await (await store.openReader()).state()).documents).toBe(before + 1)
    expect(await store.check(true)).toEqual([])
  })

  it.each(rooms())('of 4 MB, made of %s, does the same', async (_, makeRoom) => {
    const { directory, dispose } = makeRoom()
    try {
      const child = startChild(['fill', join(directory, 'index'), 'a'])
      await expectSurvival(child)
      await child.ended()
    } finally {
      dispose()
    }
  })
})

type Room = () => { directory: string; dispose: () => void }

/** Small file systems that this machine lets us make; the test above needs none. */
function rooms(): [string, Room][] {
  const memory: Room = () => {
    const directory = scratchDirectory()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory], { stdio: 'ignore' })
    return { directory, dispose: () => execFileSync('umount', [directory]) }
  }
  try {
    memory().dispose()
    return [['memory', memory]]
  } catch {
    return []
  }
}

describe('a network file system', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['CIFS', 0xff534d42],
    ['SMB2', 0xfe534d42],
    ['SMB2', 0xfe534d42 | 0],
  ])('such as %s is refused with advice', (name, type) => {
    expect(() => refuseNetworkFileSystem('/mnt/share', type)).toThrow(
      expect.objectContaining({
        code: 'BAD_PATH',
        message: expect.stringContaining(name),
        hint: expect.stringContaining('QUARRY_HOME'),
      }),
    )
  })

  it('is not mistaken for a local one', () => {
    for (const type of [0xef53, 0x01021994, 0x9123683e, 0x58465342, 0x65735546, 26, 0])
      refuseNetworkFileSystem('/home', type)
  })
})

describe('several processes', () => {
  it('that make the same index at once make one', async () => {
    const directory = join(scratchDirectory(), 'index')
    const children = Array.from({ length: 6 }, (_, n) => startChild(['create', directory, `from-${n}.ts`]))
    for (const child of children) child.tell('go')
    for (const child of children)
      expect([await child.line(), await child.ended()]).toEqual([{ event: 'done' }, ''])
    const reader = await storeIn(directory).openReader()
    expect((await reader.known('code')).size).toBe(6)
    await reader.close()
    expect(await storeIn(directory).check(true)).toEqual([])
    expect(readdirSync(directory).filter(name => name.includes('.new'))).toEqual([])
  })

  it('read whole documents while another one rewrites them', async () => {
    const directory = join(scratchDirectory(), 'index')
    const child = startChild(['revise', directory, join(scratchDirectory(), 'acknowledged'), '6', 'quick'])
    child.tell('go')
    await child.line()
    while (!existsSync(indexFile(directory))) await new Promise(resolve => setTimeout(resolve, 10))
    const readers = await Promise.all(Array.from({ length: 4 }, () => storeIn(directory).openReader()))
    const seen = new Set<string>()
    const torn: string[] = []
    const until = Date.now() + 3000
    for (let turn = 0; Date.now() < until || seen.size < 20; turn++) {
      const path = `doc-${turn % 6}.ts`
      const chunks = await readers[turn % 4]!.chunksOf(path)
      const heads = chunks.map(({ text }) => /^document (\d+ revision \d+) chunk (\d+) of (\d+)/.exec(text)!)
      for (const [position, head] of heads.entries()) {
        if (head[1] !== heads[0]![1] || Number(head[2]) !== position || Number(head[3]) !== heads.length)
          torn.push(head[0])
        seen.add(head[1]!)
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    await child.kill()
    expect(torn).toEqual([])
    expect(seen.size).toBeGreaterThan(10)
    for (const reader of readers) await reader.close()
  })
})
