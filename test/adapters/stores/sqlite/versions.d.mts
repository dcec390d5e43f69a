import type { IndexReader, VectorBatch } from '../../../../dist/core/ports.js'
import type { PreparedDocument } from '../../../../dist/core/types.js'

export declare const versionOf: (number: number, revision: number) => PreparedDocument
export declare const vectorsOf: (document: PreparedDocument) => VectorBatch
export declare const inspect: (
  reader: IndexReader,
) => Promise<{ revisions: Record<string, number>; faults: string[] }>
