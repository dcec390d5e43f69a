/** A small repository that several stories search. */

import type { Scene } from './story.js'

export const smallRepository = ({ write }: Scene): void => {
  write(
    'src/http/retry.ts',
    `/** Calls again after a failure, waiting longer each time. */
export const retryWithBackoff = async (request: () => Promise<Response>, attempts: number) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const response = await request()
    if (response.status !== 429) return response
    await sleep(100 * 2 ** attempt)
  }
  throw new Error('too many requests')
}
`,
  )
  write(
    'src/config/load.py',
    `def load_settings(path):
    """Reads the settings file and merges it over the defaults."""
    with open(path) as handle:
        return {**DEFAULTS, **parse(handle.read())}
`,
  )
  write('README.md', '# Sample\n\nAn invoice is paid by card.\n')
  write(
    'src/billing/invoice.go',
    'package billing\n\nfunc PayInvoice(id string) error {\n\treturn charge(id)\n}\n',
  )
}

/** Enough files that indexing takes a while, on any machine. */
export const largeRepository = ({ write }: Scene, files: number): void => {
  for (let file = 0; file < files; file++) {
    const functions = Array.from(
      { length: 30 },
      (_, i) =>
        `export function compute${file}_${i}(value: number): number {\n  return value * ${i} + ${file}\n}\n`,
    )
    write(`src/part${file % 20}/file${file}.ts`, functions.join('\n'))
  }
}
