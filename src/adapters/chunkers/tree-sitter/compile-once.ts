/**
 * Keeps V8 from compiling grammars a second time, for speed, while they parse. Grammars are huge functions: the second time
 * takes 100 to 300 MB and longer than it saves on the first 2,000 files. The price: 35,000 files take a fifth more processor
 * time (237 against 199 s), most of it beside the thread that writes, which is what indexing waits for.
 * The setting is one of the whole process; the only other WebAssembly in it, the kernel of the vector lane, loses a tenth.
 */

import { setFlagsFromString } from 'node:v8'

/** Later ones may not know the flags, and would say so on the reader's terminal. */
const LAST_KNOWN_NODE = 24

export const compileOnce = (): void => {
  if (Number.parseInt(process.versions.node, 10) > LAST_KNOWN_NODE) return
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
