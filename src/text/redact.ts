/**
 * Takes secrets out of text before it is shown to anyone or handed to a model: what looks like a key becomes `[REDACTED:kind]`. Line breaks stay,
 * so that line numbers hold, and applying it twice changes nothing more. It lowers a risk, it does not remove it.
 */

interface Rule {
  readonly kind: string
  /** Global. Only the first group is taken out, where there is one. */
  readonly pattern: RegExp
  /** Whether this one is worth taking out: examples and placeholders are not. */
  readonly isSecret?: (found: string) => boolean
}

/** Each way a key begins belongs to one maker: nothing else looks like it. */
const PREFIXED: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['aws', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g],
  ['github', /\b(?:gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255})\b/g],
  ['gitlab', /\b(?:glpat|glptt|gldt|glrt|glcbt|glsoat)-[\w-]{20,64}/g],
  ['slack', /\b(?:xox[abeoprs]-|xapp-\d-)[\w-]{16,255}/g],
  ['slack', /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{24,}/g],
  ['stripe', /\b(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{20,255}/g],
  ['google', /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,})/g],
  ['anthropic', /\bsk-ant-[\w-]{24,255}/g],
  ['openai', /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{32,255}/g],
  ['npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['pypi', /\bpypi-[\w-]{50,}/g],
  ['sendgrid', /\bSG\.[\w-]{20,24}\.[\w-]{39,50}/g],
  ['twilio', /\bSK[0-9a-f]{32}\b/g],
  ['mailgun', /\bkey-[0-9a-f]{32}\b/g],
  ['huggingface', /\bhf_[A-Za-z0-9]{34,40}\b/g],
  ['digitalocean', /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
  ['shopify', /\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}\b/g],
  ['databricks', /\bdapi[0-9a-f]{32}\b/g],
  ['docker', /\bdckr_pat_[\w-]{27,}/g],
  ['vault', /\bhvs\.[\w-]{24,}/g],
  ['age', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g],
  ['telegram', /\b\d{8,10}:AA[\w-]{33}\b/g],
  ['discord', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g],
  ['linear', /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b/g],
  ['doppler', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,44}\b/g],
  ['postman', /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/gi],
  ['azure', /\bAccountKey=([A-Za-z0-9+/]{86}==)/g],
  ['jwt', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}/g],
]

const SECRET_NAME =
  '(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|credential)'

const looksRandom = (text: string): boolean => {
  if (text.length < 12 || /[\s<>{}()$%\\]|:\/\//.test(text) || isAboutNothing(text)) return false
  if (isName(text)) return false
  const digits = text.match(/\d/g)?.length ?? 0
  return digits >= 2 && /[A-Za-z]/.test(text) && entropy(text) >= 3.2
}

/** Words with a number behind and names joined by dots or dashes are what code is full of. */
const isName = (text: string): boolean => {
  const parts = text.split(/[-_.:/]+/)
  return parts.length > 2
    ? parts.every(part => /^[A-Za-z]*\d{0,3}[A-Za-z]*$/.test(part))
    : parts.every(part => /^[A-Za-z]*\d{0,4}$/.test(part))
}

/** Says so itself, or has the subject 1234567890 of the token that every tutorial shows. */
const isAnExample = (text: string): boolean =>
  /example|placeholder|change_?me|xxxx|\.{3}|\*{3}/i.test(text) || text.includes('eyJzdWIiOiIxMjM0NTY3ODkw')

/** In a long random text short words turn up by chance. */
const isAboutNothing = (text: string): boolean =>
  isAnExample(text) ||
  (text.length < 32 && /dummy|sample|your|foo|bar|test|fake|mock|todo|0123|1234|abcd/i.test(text))

const RULES: readonly Rule[] = [
  // A block that was cut by the end of its chunk is taken out as far as it goes.
  {
    kind: 'pem',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?=[\s"'+\\]|$)[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
    isSecret: found => (found.match(/[A-Za-z0-9+/=]{24,}/g)?.join('').length ?? 0) >= 40,
  },
  ...PREFIXED.map(([kind, pattern]): Rule => ({ kind, pattern, isSecret: isKey })),
  {
    kind: 'url',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>]{0,80}:([^\s@/'"`<>]{6,200})@[\w[]/gi,
    isSecret: isPassword,
  },
  // `Server=…;User Id=…;Password=…`, as databases are addressed: the words before or behind it tell it from code.
  ...[
    /;\s?(?:password|pwd)=([^\s;"'`()<>[\]\\]{8,200})/gi,
    /\b(?:password|pwd)=([^\s;"'`()<>[\]\\]{8,200});\s?[a-z][a-z ]{1,30}=/gi,
  ].map((pattern): Rule => ({ kind: 'password', pattern, isSecret: isPassword })),
  {
    kind: 'bearer',
    pattern: /\bauthorization\b.{0,20}?\b(?:bearer|basic|token)\s+([\w.~+/-]{20,}=*)/gi,
    isSecret: looksRandom,
  },
  {
    kind: 'generic',
    pattern: new RegExp(
      `${SECRET_NAME}[\\w-]{0,20}["'\\]]{0,2}\\s{0,4}(?:=>|:=|[:=])\\s{0,4}["'\`]([^"'\`\\s]{12,200})["'\`]`,
      'gi',
    ),
    isSecret: looksRandom,
  },
  {
    kind: 'generic',
    pattern: new RegExp(
      `^[+\\- ]?\\s*(?:export\\s+)?[A-Z0-9_]*${SECRET_NAME.toUpperCase()}[A-Z0-9_]*\\s?[=:]\\s?([^\\s"'\`;,]{12,200})$`,
      'gm',
    ),
    isSecret: looksRandom,
  },
]

const KEY_LINE = /^[ \t+\-"']*[A-Za-z0-9+/=]{40,80}["'\\n+ \t]*\r?$/
const KEY_END =
  /^[ \t+\-"']*(?:[A-Za-z0-9+/=]{1,80})?["'\\n+ \t]*-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/

/** Of a private key whose beginning is in another chunk: its lines are taken out backwards from where it ends. */
const withoutKeyEnds = (text: string): string => {
  if (!text.includes('-----END ')) return text
  const lines = text.split('\n')
  for (const [end, line] of lines.entries()) {
    let first = end
    if (KEY_END.test(line)) while (first > 0 && KEY_LINE.test(lines[first - 1]!)) first--
    // One that still has its beginning is another rule's.
    if (first === end || lines[first - 1]?.includes('-----BEGIN ')) continue
    lines[first] = '[REDACTED:pem]'
    // The short last line of it may stand in between.
    lines.fill('', first + 1, end + 1)
  }
  return lines.join('\n')
}

export const redact = (text: string): string =>
  RULES.reduce((rest, { kind, pattern, isSecret = () => true }) => {
    const mark = `[REDACTED:${kind}]`
    return rest.replace(pattern, (found: string, group: unknown) => {
      const secret = typeof group === 'string' ? group : found
      if (secret.includes('[REDACTED:') || !isSecret(secret)) return found
      const at = found.lastIndexOf(secret)
      return `${found.slice(0, at)}${mark}${'\n'.repeat(lineBreaks(secret))}${found.slice(at + secret.length)}`
    })
  }, withoutKeyEnds(text))

const MARK = /\[REDACTED:([a-z]+)\]/g

/** Where `redact` takes something out, and what: a line counted from 1, and the kind of secret. */
export const secretsIn = (text: string): readonly { readonly line: number; readonly kind: string }[] => {
  const redacted = redact(text)
  if (redacted === text) return []
  const before = text.split('\n')
  return redacted.split('\n').flatMap((line, at) => {
    const own = before[at]?.match(MARK)?.length ?? 0
    return [...line.matchAll(MARK)].slice(own).map(([, kind]) => ({ line: at + 1, kind: kind! }))
  })
}

function isPassword(found: string): boolean {
  return found.length >= 8 && !/[{}$%*]/.test(found) && isMixed(found) && !isAboutNothing(found)
}

/** A made-up key repeats itself or says what it is; one that someone was given does neither. */
function isKey(found: string): boolean {
  const isVaried = isMixed(found) || (/[a-z]/.test(found) && /[A-Z]{2}/.test(found))
  return isVaried && new Set(found).size >= 12 && !isAnExample(found) && !/0{6}|1234567890/.test(found)
}

const isMixed = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text)

const lineBreaks = (text: string): number => text.split('\n').length - 1

/** Bits a character: words have about 2.5 to 3, random letters and digits 3.5 and more. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length
    return sum - share * Math.log2(share)
  }, 0)
}
