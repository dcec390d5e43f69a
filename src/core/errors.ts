/** The one error of Quarry: what happened, and the next command to type. Rendered once, at the door. */

export type ErrorCode =
  | 'BAD_INPUT' // an argument, a flag or a query parameter is wrong
  | 'BAD_CONFIG' // a settings file or an environment variable is wrong
  | 'BAD_PATH' // outside the root, missing, not a directory
  | 'NOT_A_REPOSITORY' // no git repository with a work tree holds the directory
  | 'GIT_MISSING' // git is not installed
  | 'GIT_FAILED' // git gave up, with its own words
  | 'INDEX_MISSING'
  | 'INDEX_OUTDATED' // built by an older Quarry or with another chunker: can be rebuilt
  | 'INDEX_TOO_NEW' // built by a newer Quarry: never touched
  | 'INDEX_DAMAGED'
  | 'INDEX_LOCKED' // another indexer is at work
  | 'NOTES_DAMAGED' // the notebook: never thrown away by itself
  | 'NOTES_TOO_NEW' // written by a newer Quarry: never touched
  | 'NOTES_LOCKED' // another process writes to the notebook
  | 'DISK_FULL'
  | 'MODEL_MISSING'
  | 'MODEL_DAMAGED' // wrong SHA-256, wrong dimension, not a model
  | 'EXPANDER_FAILED' // whoever rewrites questions gave no usable answer
  | 'OFFLINE' // a download was needed and forbidden
  | 'DEPENDENCY_MISSING' // an optional library is not installed
  | 'TIMEOUT'
  | 'CANCELLED'
  | 'INTERNAL'

export class QuarryError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'QuarryError'
    this.code = code
    this.hint = options.hint
  }
}
