/** One SQLite connection: statements prepared once, transactions, and errors in our own words. */

import { statSync } from 'node:fs'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../../core/errors.js'
import { BUSY_MILLISECONDS } from './connect.js'
import { translate } from './failures.js'

export type Parameter = string | number | null | Uint8Array

export interface Database {
  readonly path: string
  get<Row>(sql: string, ...parameters: readonly Parameter[]): Row | undefined
  all<Row>(sql: string, ...parameters: readonly Parameter[]): Row[]
  /** The same without the names of the columns, in half the time where there are many rows. */
  tuples<Tuple extends readonly unknown[]>(sql: string, ...parameters: readonly Parameter[]): Tuple[]
  /** Row by row, for tables that would not fit into memory. */
  each<Row>(sql: string, visit: (row: Row) => void, ...parameters: readonly Parameter[]): void
  /** The first column of the first row. */
  value<Value>(sql: string, ...parameters: readonly Parameter[]): Value
  /** The row id, when the statement inserted a row. */
  run(sql: string, ...parameters: readonly Parameter[]): number
  /** Runs `work` on one snapshot. */
  read<Result>(work: () => Result): Result
  /** Runs `work` in one transaction: all of it is kept or nothing. */
  write<Result>(work: () => Result, options?: WriteOptions): Result
  /** Moves everything from the log into the file, unless a reader is in the way. */
  settle(): void
  close(): void
}

export interface WriteOptions {
  /** For the message when the disk is full. */
  readonly neededBytes?: number
  /** Waits until the disk has it: for notes, which nothing can rebuild. */
  readonly durable?: boolean
}

const LARGE_LOG_BYTES = 64_000_000

export const wrapConnection = (connection: DatabaseSyncInstance, path: string): Database => {
  const statements = new Map<string, StatementSyncInstance>()
  const prepared = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const plucked = (sql: string): StatementSyncInstance => {
    const key = `${sql}\u0000`
    const known = statements.get(key)
    if (known) return known
    const statement = connection.prepare(sql)
    statement.setReturnArrays(true)
    statements.set(key, statement)
    return statement
  }
  const transaction = <Result>(begin: string, work: () => Result, neededBytes?: number): Result => {
    try {
      connection.exec(begin)
      const result = work()
      connection.exec('COMMIT')
      return result
    } catch (error) {
      // SQLite has rolled back by itself after some errors, a full disk among them.
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
      throw translate(error, path, neededBytes)
    }
  }
  return {
    path,
    get: (sql, ...parameters) => prepared(sql).get(...whole(parameters)),
    all: (sql, ...parameters) => prepared(sql).all(...whole(parameters)),
    tuples: (sql, ...parameters) => plucked(sql).all(...whole(parameters)),
    each: (sql, visit, ...parameters) => {
      for (const row of prepared(sql).iterate(...whole(parameters))) visit(row)
    },
    value: (sql, ...parameters) => plucked(sql).get(...whole(parameters))?.[0],
    run: (sql, ...parameters) => Number(prepared(sql).run(...whole(parameters)).lastInsertRowid),
    read: work => transaction('BEGIN', work),
    write: (work, { neededBytes, durable = false } = {}) => {
      if (!durable) return transaction('BEGIN IMMEDIATE', work, neededBytes)
      connection.exec('PRAGMA synchronous = FULL')
      try {
        return transaction('BEGIN IMMEDIATE', work, neededBytes)
      } finally {
        connection.exec('PRAGMA synchronous = NORMAL')
      }
    },
    settle: () => {
      const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
      // The whole process stands still while it waits for a reader: only a log that fills the disk is worth it.
      const patience = logBytes < LARGE_LOG_BYTES ? 0 : 1000
      try {
        connection.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA wal_checkpoint(TRUNCATE)`)
      } catch {
        // The log is as good as the file; the next writer tries again.
      }
      connection.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`)
    },
    close: () => {
      statements.clear()
      if (connection.isOpen) connection.close()
    },
  }
}

/** A NUL in a name would silently make it another name. */
const whole = (parameters: readonly Parameter[]): readonly Parameter[] => {
  for (const parameter of parameters) {
    if (typeof parameter === 'string' && parameter.includes('\u0000')) {
      throw new QuarryError('BAD_INPUT', `${JSON.stringify(parameter.slice(0, 60))} contains a NUL character`)
    }
  }
  return parameters
}
