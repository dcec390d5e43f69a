import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { failWith } from '../../dist/cli/fail.js'
import type { Terminal } from '../../dist/cli/terminal.js'
import { QuarryError } from '../../dist/core/errors.js'
import { paintWith } from '../../dist/present/index.js'

const fail = (error: unknown, json = false) => {
  let said = ''
  const terminal: Terminal = {
    print: async () => {},
    talk: text => {
      said += text
    },
    flush: async () => {},
    interactive: false,
    talksToTerminal: false,
    columns: 80,
    colour: false,
    paint: paintWith(false),
    json,
  }
  return { code: failWith(error, terminal), said }
}

describe('failWith', () => {
  it.each([
    ['BAD_INPUT', 2],
    ['INDEX_TOO_NEW', 2],
    ['INDEX_LOCKED', 75],
    ['DISK_FULL', 74],
    ['CANCELLED', 130],
  ] as const)('%s ends with %i', (name, code) => {
    expect(fail(new QuarryError(name, 'it broke', { hint: 'quarry doctor' }))).toEqual({
      code,
      said: 'error: it broke\n hint: quarry doctor\n',
    })
  })

  it.each([
    ['ENOSPC', 'make room'],
    ['EDQUOT', 'quota'],
    ['EFBIG', 'ulimit -f'],
  ])('knows a full disk by its system error %s', (name, hint) => {
    const { code, said } = fail(Object.assign(new Error(`${name}: write`), { code: name }))
    expect([code, said]).toEqual([74, expect.stringMatching(`No room is left to write[^]* hint: .*${hint}`)])
  })

  it('shows no trace, and nothing a terminal would obey', () => {
    const { code, said } = fail(new TypeError('x is not\n a \x1b[31mfunction'))
    expect(code).toBe(2)
    expect(said).toBe('error: x is not␊ a ␛[31mfunction\n hint: QUARRY_DEBUG=1 shows where it happened\n')
  })

  it('is JSON when JSON was asked for', () => {
    const { said } = fail(new QuarryError('BAD_PATH', 'gone', { hint: 'look' }), true)
    expect(JSON.parse(said)).toEqual({ error: { code: 'BAD_PATH', message: 'gone', hint: 'look' } })
  })

  it('makes a hint of the suggestion of the parser', () => {
    const message = "error: unknown option '--lmit'\n(Did you mean --limit?)"
    expect(fail(new CommanderError(1, 'commander.unknownOption', message)).said).toBe(
      "error: unknown option '--lmit'\n hint: did you mean --limit?\n",
    )
  })
})
