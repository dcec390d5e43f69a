import type { lookup } from 'node:dns'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postJson } from '../../../dist/adapters/expanders/post-json.js'
import { type LanguageModel, startLanguageModel, status } from '../../fixtures/language-model.js'

let model: LanguageModel
beforeEach(async () => {
  model = await startLanguageModel(status(200, '{}'))
})
afterEach(() => model.close())

/** A resolver for which every name leads to these addresses. */
const leadsTo = (...addresses: readonly string[]) =>
  ((_: string, __: unknown, done: (error: null, found: unknown) => void) =>
    done(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup

const post = (resolve: typeof lookup, privateHosts: readonly string[] = []) =>
  postJson({
    url: new URL(`http://models.example:${new URL(model.origin).port}/v1`),
    ...{ headers: { authorization: 'Bearer k' }, body: {}, privateHosts, resolve },
    signal: AbortSignal.timeout(5_000),
  })

describe('a name', () => {
  it('that leads to a private address is asked only when the user lists it', async () => {
    await expect(post(leadsTo('127.0.0.1'))).rejects.toMatchObject({
      code: 'EXPANDER_FAILED',
      message: expect.stringContaining('leads to a private address'),
      hint: expect.stringContaining('expander.privateHosts'),
    })
    expect(model.received).toHaveLength(0)
    await expect(post(leadsTo('127.0.0.1'), ['models.example'])).resolves.toMatchObject({ status: 200 })
    expect(model.received).toHaveLength(1)
  })

  it.each([['169.254.169.254'], ['::ffff:169.254.169.254'], ['fe80::1'], ['fd00:ec2::254']])(
    'that leads to %s is never asked, listed or not, even beside a good address',
    async address => {
      await expect(post(leadsTo('127.0.0.1', address), ['models.example'])).rejects.toThrow('never asked')
      expect(model.received).toHaveLength(0)
    },
  )
})
