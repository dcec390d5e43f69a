/** A small repository with a history that every tool can say something about. */

import { type FixtureRepository, gitRepository } from '../fixtures/git-repository.js'

const RETRY_FIRST = `export const retryWithBackoff = async (request: () => Promise<Response>) => {
  const response = await request()
  return response
}
`

const RETRY = `/** Calls again after a failure, waiting longer each time. */
export const retryWithBackoff = async (request: () => Promise<Response>, attempts: number) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const response = await request()
    if (response.status !== 429) return response
    await sleep(100 * 2 ** attempt)
  }
  throw new Error('too many requests')
}
`

const SETTINGS = `def load_settings(path):
    """Reads the settings file and merges it over the defaults."""
    with open(path) as handle:
        return {**DEFAULTS, **parse(handle.read())}
`

export const agentRepository = (): FixtureRepository => {
  const repository = gitRepository()
  repository.commit('Call the server', { 'src/http/retry.ts': RETRY_FIRST })
  repository.commit('Load settings from a file', { 'src/config/load.py': SETTINGS })
  repository.commit(
    'Retry with backoff on 429\n\nThe billing service limits us to ten calls a second.',
    { 'src/http/retry.ts': RETRY },
    { author: 'Grace Hopper', email: 'grace@example.org' },
  )
  repository.commit('Pay invoices', {
    'src/billing/invoice.go':
      'package billing\n\nfunc PayInvoice(id string) error {\n\treturn charge(id)\n}\n',
    'README.md': '# Sample\n\nAn invoice is paid by card.\n',
  })
  return repository
}
