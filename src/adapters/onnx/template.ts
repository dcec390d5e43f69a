/** Where the special tokens of a model go around one text or two, read from the `post_processor` of `tokenizer.json`. */

import type { Encoding } from './tokenizer.js'

export interface Template {
  /** How many special tokens it adds. */
  readonly extra: number
  fill(first: readonly number[], second?: readonly number[]): Encoding
}

type Part =
  | { readonly ids: readonly number[]; readonly type: number }
  | { readonly text: 'A' | 'B'; readonly type: number }

interface TemplateStep {
  readonly SpecialToken?: { readonly id: string; readonly type_id: number }
  readonly Sequence?: { readonly id: 'A' | 'B'; readonly type_id: number }
}

interface PostProcessor {
  readonly type?: string
  readonly single?: readonly TemplateStep[]
  readonly pair?: readonly TemplateStep[]
  readonly special_tokens?: Readonly<Record<string, { readonly ids: readonly number[] }>>
  readonly cls?: readonly [string, number]
  readonly sep?: readonly [string, number]
}

export function readTemplates(postProcessor: unknown): {
  readonly single: Template
  readonly pair: Template
} {
  const { type, single, pair, special_tokens, cls, sep } = (postProcessor ?? {}) as PostProcessor
  if (type === 'TemplateProcessing' && single && pair) {
    const part = (step: TemplateStep): Part => {
      if (step.Sequence) return { text: step.Sequence.id, type: step.Sequence.type_id }
      const ids = special_tokens?.[step.SpecialToken?.id ?? '']?.ids
      if (!ids) throw new Error('a special token has no id')
      return { ids, type: step.SpecialToken?.type_id ?? 0 }
    }
    return { single: template(single.map(part)), pair: template(pair.map(part)) }
  }
  if ((type === 'BertProcessing' || type === 'RobertaProcessing') && cls && sep) {
    const second = type === 'BertProcessing' ? 1 : 0
    const mark = (id: number, type: number): Part => ({ ids: [id], type })
    const first: Part[] = [mark(cls[1], 0), { text: 'A', type: 0 }, mark(sep[1], 0)]
    const between = type === 'RobertaProcessing' ? [mark(sep[1], 0)] : []
    const rest: Part[] = [...between, { text: 'B', type: second }, mark(sep[1], second)]
    return { single: template(first), pair: template([...first, ...rest]) }
  }
  throw new Error(`post processor "${type}" is unknown`)
}

function template(parts: readonly Part[]): Template {
  const extra = parts.reduce((sum, part) => sum + ('ids' in part ? part.ids.length : 0), 0)
  const fill = (first: readonly number[], second: readonly number[] = []): Encoding => {
    const length = first.length + second.length + extra
    const ids = new Int32Array(length)
    const types = new Int32Array(length)
    let end = 0
    for (const part of parts) {
      const piece = 'ids' in part ? part.ids : part.text === 'A' ? first : second
      ids.set(piece, end)
      types.fill(part.type, end, end + piece.length)
      end += piece.length
    }
    return { ids, types }
  }
  return { extra, fill }
}
