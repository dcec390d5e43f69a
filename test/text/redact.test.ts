/** Secrets are taken out of text, and code is left alone. */

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitise } from '../../dist/present/sanitise.js'
import { redact } from '../../dist/text/redact.js'
import { plantSecrets } from './planted-secrets.js'

describe('redact', () => {
  it.each([1, 2, 3])('takes out at least 95 % of 60 planted secrets (seed %i)', seed => {
    const planted = plantSecrets(seed)
    expect(planted).toHaveLength(60)
    const missed = planted.filter(({ secret, line }) => {
      const before = `function connect() {\n${line}\n  return 1\n}\n`
      const after = redact(before)
      // Not one line of it may be left, and no line of the file may be lost.
      expect(after.split('\n')).toHaveLength(before.split('\n').length)
      return secret
        .split(/\n\+?/)
        .some(part => part.length > 8 && !part.includes('--') && after.includes(part))
    })
    expect(missed.length, missed.map(({ kind }) => kind).join()).toBeLessThanOrEqual(3)
  })

  it('says what it took out, and leaves the rest of the line', () => {
    const key = ['AK', 'IA', 'QWERTZUIOPASDFG2'].join('')
    expect(redact(`id = "${key}" # ours`)).toBe('id = "[REDACTED:aws]" # ours')
    const password = ['k9', 'vTq2', 'LmZx8'].join('')
    expect(redact(`postgres://app:${password}@db/main`)).toBe('postgres://app:[REDACTED:url]@db/main')
  })

  it.each([
    ['password', `Server=db;User Id=app;Password=${['k9', 'vTq2', 'LmZx8'].join('')};Encrypt=true`],
    ['password', `Pwd=${['k9', 'vTq2', 'LmZx8'].join('')};Server=db`],
    ['discord', ['MTk4NjIyNDgzNDcxOTI1MjQ4', 'Cl2FMQ', 'ZnCjm1XVW7vRze4b7Cq4se7kKWs'].join('.')],
    ['linear', `lin_api_${'Ab3dEf9hIj'.repeat(4)}q`],
    ['doppler', `dp.pt.${'Ab3dEf9hIj'.repeat(4)}Qrst`],
    ['postman', `PMAK-${'0a1b2c3d4e5f'.repeat(2)}-${'9f8e7d6c5b4a3'.repeat(2)}01234567`],
  ])('knows a %s', (kind, text) => {
    expect(redact(`before ${text} after`)).toMatch(new RegExp(`^before .*\\[REDACTED:${kind}\\].* after$`))
  })

  it('takes out a private key that was cut by the end of its chunk, or has lost its beginning', () => {
    const [block] = plantSecrets(9).filter(({ kind }) => kind === 'pem')
    const lines = block!.secret.split('\n')
    for (const part of [lines.slice(0, 8), lines.slice(4)]) {
      const left = redact(part.join('\n'))
      expect(left).toContain('[REDACTED:pem]')
      for (const line of part.filter(line => !line.startsWith('--'))) expect(left).not.toContain(line)
    }
  })

  it.each([
    'password = os.environ["DB_PASSWORD"]',
    "const token = 'access_token'",
    'secret: "your-secret-key-here"',
    'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
    'postgres://user:password@localhost:5432/db',
    'https://user:%PASSWORD1%@host/',
    'const apiKey = process.env.API_KEY_2024',
    'integrity = "sha512-not-a-secret-but-long"',
    'commit 4f2a9c1b0d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b',
    "passwordField: 'form-control-password-2'",
    'sk-learn is a library; so is sk-image-processing-toolkit',
    '-----BEGIN CERTIFICATE-----',
    'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return',
    'password=input1234; user=me',
    'x = 1; password = readPassword2()',
    'Server=db;Password=your_password1;',
    'Normalizer2.normal.toNormalizedWhitespaceString2x',
    'token = jwt.encode(payload, key, algorithm="HS256")',
  ])('leaves %s alone', text => {
    expect(redact(text)).toBe(text)
  })

  it('leaves this repository alone', () => {
    for (const file of [
      'src/text/redact.ts',
      'src/text/skip-tables.ts',
      'test/text/planted-secrets.ts',
      'package-lock.json',
    ]) {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      expect(redact(text), file).toBe(text)
    }
  })

  it('never throws, keeps every line break, and changes nothing more when applied twice', () => {
    const planted = plantSecrets(5).map(({ line }) => line)
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...planted, '\n', '"', "'", '=', 'token', ' '),
    )
    const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(text, given => {
        const once = sanitise(redact(given))
        expect(sanitise(redact(once))).toBe(once)
        expect(redact(given).split('\n')).toHaveLength(given.split('\n').length)
      }),
      { numRuns: 2_000, seed: 20261116 },
    )
  })

  it('takes time that grows with the text only', () => {
    const hostile = [
      'token'.repeat(20_000),
      `password = "${'a1'.repeat(50_000)}`,
      `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(100_000)}`,
      `${'a'.repeat(50_000)}://`,
      `${'QUJD'.repeat(15)}\n`.repeat(2_000),
      'eyJ'.repeat(30_000),
      'authorization '.repeat(8_000),
    ]
    for (const text of hostile) {
      const start = performance.now()
      redact(text)
      expect(performance.now() - start).toBeLessThan(2_000)
    }
  })
})
