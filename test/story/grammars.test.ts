/** A package that lost a grammar, and one whose grammar is damaged: told by the index run and by doctor, never silent. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { type Scene, story } from './story.js'

const PACKAGE = resolve(import.meta.dirname, '../..')

interface Copy {
  readonly main: string
  /** Where its grammars lie, each a link to the real one. */
  readonly grammars: string
}

/** A copy of the package whose grammars may be broken. */
const copyPackage = (home: string): Copy => {
  mkdirSync(home, { recursive: true })
  const copy = mkdtempSync(join(home, 'package-'))
  const grammars = join(copy, 'assets/grammars')
  mkdirSync(grammars, { recursive: true })
  cpSync(join(PACKAGE, 'dist'), join(copy, 'dist'), { recursive: true })
  for (const path of ['package.json', 'node_modules', 'assets/static-table.bin'])
    symlinkSync(join(PACKAGE, path), join(copy, path))
  for (const name of readdirSync(join(PACKAGE, 'assets/grammars')))
    symlinkSync(join(PACKAGE, 'assets/grammars', name), join(grammars, name))
  return { main: join(copy, 'dist/cli/main.js'), grammars }
}

const writeSources = ({ write }: Scene): void => {
  for (const name of ['one', 'two', 'three']) {
    write(`${name}.go`, `package ${name}\n\nfunc Greet${name}() string {\n\treturn "hello"\n}\n`)
    write(`${name}.py`, `def greet_${name}():\n    return "hello"\n`)
    write(`${name}.ts`, `export const greet_${name}_again = () => 'hello'\n`)
  }
}

const INDEX = ['index', '--fast', '--no-history', '--offline', '--json', '--quiet']

const findings = (stdout: string): { subject: string; state: string; message: string; hint?: string }[] =>
  JSON.parse(stdout).findings

describe('a grammar', () => {
  story('that is missing or damaged is one warning for each language, and a line in doctor', async scene => {
    const { main, grammars } = copyPackage(scene.home)
    rmSync(join(grammars, 'go.wasm'))
    rmSync(join(grammars, 'python.wasm'))
    writeFileSync(join(grammars, 'python.wasm'), '\0asm and then nothing')
    writeSources(scene)

    const { code, stdout, stderr } = await scene.runWith({ main }, ...INDEX)
    expect([code, stderr]).toEqual([0, ''])
    const { warnings, added } = JSON.parse(stdout)
    expect(added).toBe(9)
    expect(warnings.map(({ code, message }: { code: string; message: string }) => [code, message])).toEqual([
      ['GRAMMAR_MISSING', expect.stringContaining('of go ')],
      ['GRAMMAR_MISSING', expect.stringContaining('of python ')],
    ])
    for (const { hint } of warnings) expect(hint).toContain('quarry index --rebuild')

    const found = JSON.parse((await scene.runWith({ main }, 'search', '--json', 'Greetone')).stdout).hits[0]
    expect(found).toMatchObject({ path: 'one.go', symbol: null })

    const doctor = await scene.runWith({ main }, 'doctor', '--json', '--offline')
    const line = findings(doctor.stdout).find(({ subject }) => subject === 'grammars')
    expect(line).toMatchObject({ state: 'warning', hint: expect.stringContaining('--rebuild') })
    expect(line?.message).toMatch(/^python, go cannot be parsed/)

    const again = await scene.runWith({ main }, ...INDEX)
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 9, warnings: [] })

    const mended = await scene.run(...INDEX, '--rebuild')
    expect(JSON.parse(mended.stdout).warnings).toEqual([])
    const whole = JSON.parse((await scene.run('search', '--json', 'Greetone')).stdout).hits[0]
    expect(whole).toMatchObject({ path: 'one.go', symbol: 'Greetone' })
  })

  story('that is whole is nothing to talk about', async scene => {
    const { stdout } = await scene.run('doctor', '--json', '--offline')
    const line = findings(stdout).find(({ subject }) => subject === 'grammars')
    expect(line).toEqual({ subject: 'grammars', state: 'ok', message: 'every language can be parsed' })
  })
})
