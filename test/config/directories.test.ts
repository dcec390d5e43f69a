/** Where Quarry writes, on every system and under every variable. */

import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { indexDirectory, quarryDirectories } from '../../dist/config/directories.js'

test('QUARRY_HOME moves everything', () => {
  expect(quarryDirectories({ QUARRY_HOME: '/q', XDG_DATA_HOME: '/xdg', HOME: '/h' })).toEqual({
    data: '/q/data',
    cache: '/q/cache',
    config: '/q/config',
  })
  expect(quarryDirectories({ QUARRY_HOME: 'q' }).data).toBe(join(process.cwd(), 'q/data'))
})

test('XDG variables count if they are absolute', () => {
  const environment = {
    HOME: '/h',
    XDG_DATA_HOME: '/d',
    XDG_CACHE_HOME: 'relative',
    XDG_CONFIG_HOME: '',
    QUARRY_HOME: '',
  }
  expect(quarryDirectories(environment, 'linux')).toEqual({
    data: '/d/quarry',
    cache: '/h/.cache/quarry',
    config: '/h/.config/quarry',
  })
})

test('other systems have their own places', () => {
  expect(quarryDirectories({ HOME: '/h' }, 'darwin')).toEqual({
    data: '/h/Library/Application Support/quarry',
    cache: '/h/Library/Caches/quarry',
    config: '/h/Library/Application Support/quarry/config',
  })
  expect(quarryDirectories({ HOME: '/h', LOCALAPPDATA: '/local', APPDATA: '/roaming' }, 'win32')).toEqual({
    data: '/local/quarry/data',
    cache: '/local/quarry/cache',
    config: '/roaming/quarry',
  })
})

test('one directory for each root, the same whichever way it is named', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-directories-')))
  onTestFinished(() => rmSync(home, { recursive: true }))
  symlinkSync(home, `${home}-link`)
  onTestFinished(() => rmSync(`${home}-link`))
  const one = indexDirectory('/data', home)
  expect(one).toMatch(/^\/data\/indexes\/quarry-directories-\w+-[0-9a-f]{12}$/)
  expect(indexDirectory('/data', `${home}/.`)).toBe(one)
  expect(indexDirectory('/data', `${home}-link`)).toBe(one)
  expect(indexDirectory('/data', join(home, 'other'))).not.toBe(one)
})

test.each([
  ['/', /^root-[0-9a-f]{12}$/],
  ['/a/../b c$(rm -rf)\n', /^b_c_rm_-rf_-[0-9a-f]{12}$/],
  ['/a/.hidden', /^hidden-[0-9a-f]{12}$/],
  ['/a/日本', /^root-[0-9a-f]{12}$/],
  [`/a/${'n'.repeat(250)}`, /^n{40}-[0-9a-f]{12}$/],
])('a safe name for %j', (root, name) => {
  expect(basename(indexDirectory('/data', root))).toMatch(name)
})
