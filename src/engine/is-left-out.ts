import type { Skipped } from '../core/types.js'

/** Secrets are kept beside what was left out, but their files are in the index. */
export const isLeftOut = ({ reason }: Skipped): boolean => reason !== 'redacted'
