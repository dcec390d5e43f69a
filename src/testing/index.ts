/** Contract suites for authors of adapters. */

export type { Expectation, Hooks } from './hooks.js'
export {
  type ChunkSketch,
  type DocumentSketch,
  embeddingHashOf,
  plainScoring,
  sampleDocument,
  sampleVectors,
  unit,
} from './sample-documents.js'
export { type StoreFixture, storeContract } from './store-contract.js'
