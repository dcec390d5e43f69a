/** Loads the parser and its grammars inside a worker: each grammar on first use, from the files the package ships. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Language, Parser, type Tree } from 'web-tree-sitter'
import { timeLimit } from './time-limit.js'

export interface GrammarParser {
  /** Loads a grammar unless it is there already; undefined when its file is missing or broken. */
  load(grammar: string): Promise<Language | undefined>
  /** Undefined when the parse needed more than `timeoutMs`. */
  parse(language: Language, text: string, timeoutMs: number): Tree | undefined
  /** Bytes of memory that the parser holds; they are never given back. */
  memory(): number
}

/** Counted in pages of 64 kB: 32 MB to begin with, 512 MB at most. A text that needs more is not worth it. */
const MEMORY = { initial: 512, maximum: 8_192 }

export const grammarParser = async (directory: string): Promise<GrammarParser> => {
  const memory = new wasm.Memory(MEMORY)
  compileAtOnce()
  await Parser.init({ wasmMemory: memory, instantiateWasm: instantiateWithLibrary })
  const parser = new Parser()
  const languages = new Map<string, Promise<Language | undefined>>()
  const load = async (grammar: string): Promise<Language | undefined> => {
    try {
      return await Language.load(await readFile(join(directory, `${grammar}.wasm`)))
    } catch {
      return undefined
    }
  }
  return {
    load: grammar => {
      const language = languages.get(grammar) ?? load(grammar)
      languages.set(grammar, language)
      return language
    },
    parse: (language, text, timeoutMs) => {
      parser.setLanguage(language)
      const tree = parser.parse(text, null, { progressCallback: timeLimit(timeoutMs) })
      if (tree) return tree
      parser.reset()
      return undefined
    },
    memory: () => memory.buffer.byteLength,
  }
}

/** What is needed of WebAssembly; the compiler knows it only together with all the names of a browser. */
interface WebAssemblyParts {
  Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array) => object
  Instance: new (
    module: object,
    imports: object,
  ) => { exports: Record<string, (...values: number[]) => number> }
  instantiate: (bytes: Uint8Array, imports: object) => Promise<{ module: object; instance: object }>
}

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WebAssemblyParts }

/**
 * The usual `instantiate` waits in line behind the background optimisation of grammars that were loaded before (3 s after
 * Swift, measured); compiling in place takes 12 ms. This thread is ours alone, so it may be replaced.
 */
const compileAtOnce = (): void => {
  wasm.instantiate = async (bytes, imports) => {
    const module = new wasm.Module(bytes)
    return { module, instance: new wasm.Instance(module, imports) }
  }
}

/**
 * Mends what grammars expect of the C library. Bash needs `isalpha`, which the parser's core leaves out. Lua reads memory
 * that it never wrote, so that one file in five came out differently depending on the files before it: memory for grammars
 * is zeroed.
 */
const instantiateWithLibrary = (
  imports: { env: Record<string, unknown> },
  receive: (instance: object, module: object) => void,
): void => {
  const core = fileURLToPath(import.meta.resolve('web-tree-sitter/tree-sitter.wasm'))
  const module = new wasm.Module(readFileSync(core))
  const instance = new wasm.Instance(module, imports)
  imports.env.isalpha = (code: number) => Number((code | 32) >= 97 && (code | 32) <= 122)
  imports.env.malloc = (bytes: number) => instance.exports.calloc?.(1, bytes) ?? 0
  receive(instance, module)
}
