/** Notices text that speaks to a model instead of to a reader. A hint only: whoever means harm can say it otherwise. */

const SIGNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|system)\b.{0,20}\b(?:instruction|prompt|rule|message|direction)/i,
  /<\/?(?:system|assistant|human|tool_result|tool_use|tool_call|function_calls?|function_results?|invoke|system-reminder)(?:\s[^>]{0,80})?>/i,
  /<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id)\|>/i,
  /\b(?:new|updated|important) (?:system )?instructions? (?:for|to) (?:the |you|ai|all )/i,
  /\byou (?:are now|must now|should now)\b.{0,40}\b(?:agent|assistant|mode|jailbr|dan|administrator)/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention|reveal)\b.{0,30}\bthe (?:user|human|developer)/i,
  /\brepository content, not instructions\b/i,
]

/** A few kilobytes are read: more would only cost time. */
const LONGEST_READ = 20_000

export const isSuspicious = (text: string): boolean => {
  const read = text.slice(0, LONGEST_READ)
  return SIGNS.some(sign => sign.test(read))
}
