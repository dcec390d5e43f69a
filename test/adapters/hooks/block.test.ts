import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockFor, close, open } from '../../../dist/adapters/hooks/block.js'
import { isReadToItsEnd, isShellScript, quote, unquote } from '../../../dist/adapters/hooks/shell.js'

const starter = { node: '/usr/bin/true', entry: '/nowhere/main.js' }
const folder = mkdtempSync(join(tmpdir(), 'quarry-block-'))

describe('the block in a hook', () => {
  it('gives back every foreign byte', () => {
    const pieces = fc.constantFrom(
      '#!/bin/sh\n',
      'exit 0\n',
      'echo é\n',
      '\r\n',
      '\xff',
      'x',
      ' exec y',
      '\n',
      '<<E\n',
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 8 }),
        fc.array(fc.string(), { maxLength: 3 }),
        (parts, names) => {
          const foreign = Buffer.from(parts.join(''), 'utf8').toString('latin1')
          const roots = ['/repo', ...names.map(name => `/${name.replace(/\p{Cc}/gu, '')}`)]
          const hook = close(foreign, roots, starter)
          expect(open(hook)).toEqual({ foreign, roots })
          expect(close(foreign, [], starter)).toBe(foreign)
        },
      ),
    )
  })

  it('knows a file that was made for it, until someone adds to it', () => {
    const hook = close(null, ['/repo'], starter)!
    expect(open(hook)).toEqual({ foreign: null, roots: ['/repo'] })
    expect(open(`${hook}echo more`)).toEqual({ foreign: '#!/bin/sh\necho more', roots: ['/repo'] })
  })

  it('keeps lines apart that were added behind it later', () => {
    const hook = close('echo one', ['/repo'], starter)!
    expect(open(`${hook}echo two`)).toMatchObject({ foreign: 'echo one\necho two' })
  })

  it('survives an editor that drops the last line break', () => {
    expect(open(close('#!/bin/sh\n', ['/repo'], starter)!.trimEnd())).toMatchObject({
      foreign: '#!/bin/sh\n',
    })
  })

  it('says when its end is missing, and joins two copies', () => {
    const hook = close('#!/bin/sh\n', ['/repo'], starter)!
    expect(open(hook.slice(0, -10))).toBe('damaged')
    expect(open(hook + blockFor(['/other'], starter))).toEqual({
      foreign: '#!/bin/sh\n',
      roots: ['/repo', '/other'],
    })
  })

  it.each([
    ['#!/bin/sh\necho hello\n', 'end'],
    ['#!/bin/sh\nexec >>log 2>&1\necho hello\n', 'end'],
    ['#!/bin/sh\n# exit 0 would be early\nexits=1\n', 'end'],
    ['#!/bin/sh\necho hello\nexit 0\n', 'top'],
    ['#!/bin/sh\nexec other-tool "$@"\n', 'top'],
    ['#!/bin/sh\n[ -f x ] || exit 0\necho hello\n', 'top'],
    ['#!/bin/sh\nif true; then exit 1; fi\n', 'top'],
    ['#!/bin/sh\ncommand -v git-lfs || { echo >&2 no; exit 2; }\ngit lfs post-commit "$@"\n', 'top'],
    ['#!/bin/sh\ncat <<END\nunfinished\n', 'top'],
    ['exit 0\n', 'top'],
  ])('stands in %j at the %s', (foreign, place) => {
    expect(isReadToItsEnd(foreign)).toBe(place === 'end')
    const hook = close(foreign, ['/repo'], starter)!
    const shebang = /^#!.*\n/.exec(foreign)?.[0] ?? ''
    expect(hook.startsWith(place === 'end' ? foreign : `${shebang}# >>> quarry`)).toBe(true)
  })
})

describe('the block as the shell runs it', () => {
  const run = (shell: string, script: string): { status: number | null; stdout: string; stderr: string } => {
    const file = join(folder, 'hook')
    writeFileSync(file, script, 'latin1')
    return spawnSync(shell, [file, 'argument'], { encoding: 'utf8', input: 'old new\n' })
  }
  const block = blockFor(['/'], starter)

  it.each(['dash', 'bash'])(
    '%s: neither status, nor variables, options or input of the hook change',
    shell => {
      expect(run(shell, `false\n${block}`).status).toBe(1)
      expect(run(shell, `(exit 7)\n${block}`).status).toBe(7)
      expect(run(shell, `true\n${block}`).status).toBe(0)
      const careful = run(
        shell,
        `set -eu\nquarry_status=mine\n[ -f /none ] && echo no\n${block}read -r line\necho "$1 $line $quarry_status $-"\n`,
      )
      expect(careful).toMatchObject({ status: 0, stderr: '' })
      expect(careful.stdout).toMatch(/^argument old new mine \S*e/)
    },
  )

  it('passes over a program that is gone, and anything in a name', () => {
    const evil = "/tmp/a'; touch /tmp/quarry-evil; '$(touch /tmp/quarry-evil) `x`"
    const script = blockFor([evil, '/'], { node: evil, entry: evil })
    expect(run('dash', script)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(execFileSync('sh', ['-c', 'ls /tmp | grep -c quarry-evil || true'], { encoding: 'utf8' })).toBe(
      '0\n',
    )
  })
})

describe('shell scripts', () => {
  it.each([
    ['#!/bin/sh\n', true],
    ['#! /usr/bin/env bash\n', true],
    ['#!/usr/bin/env -S bash -e\n', true],
    ['#!/bin/busybox sh\n', true],
    ['#!/bin/sh\r\n', true],
    ['echo no shebang\n', true],
    ['', true],
    ['#!/usr/bin/env python3\n', false],
    ['#!/usr/bin/fish\n', false],
    ['#!/usr/bin/env node\n', false],
    ['\x7fELF\0\0', false],
    ['\xef\xbb\xbf#!/bin/sh\n', false],
  ])('%j: %s', (text, expected) => {
    expect(isShellScript(text)).toBe(expected)
  })

  it('quotes and reads back', () => {
    fc.assert(fc.property(fc.string(), text => unquote(quote(text)) === text))
    expect(unquote("'a'b'")).toBeNull()
  })
})
