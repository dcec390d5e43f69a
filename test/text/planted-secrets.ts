/** Secrets made up at run time, so that none stands in the repository: 60 of them, each in a line of code as people write it. */

export interface Planted {
  readonly kind: string
  readonly secret: string
  readonly line: string
}

/** A small generator of its own (mulberry32): the same seed plants the same secrets on every machine. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = UPPER.toLowerCase()
const DIGITS = '0123456789'
const HEX = '0123456789abcdef'
const BASE64 = `${UPPER}${LOWER}${DIGITS}+/`
const WORD = `${UPPER}${LOWER}${DIGITS}`

export const plantSecrets = (seed: number): readonly Planted[] => {
  const random = randomFrom(seed)
  const some = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
  const quoted = (name: string, secret: string) => `const ${name} = '${secret}'`
  const make: readonly (readonly [string, (round: number) => readonly [string, string]])[] = [
    ['aws', round => [`${round ? 'AS' : 'AK'}IA${some(`${UPPER}234567`, 16)}`, 'AWS_ACCESS_KEY_ID=$']],
    ['aws secret', () => [some(BASE64, 40), 'aws_secret_access_key = "$"']],
    ['github', () => [`ghp_${some(WORD, 36)}`, 'git clone https://$@github.com/a/b']],
    ['github', () => [`github_pat_${some(WORD, 22)}_${some(WORD, 59)}`, '  token: $']],
    ['gitlab', () => [`glpat-${some(WORD, 20)}`, '"PRIVATE-TOKEN: $"']],
    ['slack', () => [`xoxb-${some(DIGITS, 12)}-${some(DIGITS, 12)}-${some(WORD, 24)}`, 'slack("$")']],
    ['stripe', round => [`sk_${round ? 'test' : 'live'}_${some(WORD, 24)}`, 'Stripe.new("$")']],
    ['google', () => [`AIza${some(`${WORD}-_`, 35)}`, 'maps?key=$&v=3']],
    ['openai', () => [`sk-proj-${some(WORD, 48)}`, 'OPENAI_API_KEY=$']],
    ['anthropic', () => [`sk-ant-api03-${some(`${WORD}-_`, 93)}`, 'new Anthropic({ apiKey: "$" })']],
    ['npm', () => [`npm_${some(WORD, 36)}`, '//registry.example/:_authToken=$']],
    ['pypi', () => [`pypi-AgEIcHlwaS5vcmc${some(`${WORD}-_`, 120)}`, 'password = $']],
    ['sendgrid', () => [`SG.${some(WORD, 22)}.${some(WORD, 43)}`, 'mail.key("$")']],
    ['twilio', () => [`SK${some(HEX, 32)}`, 'client("$")']],
    ['huggingface', () => [`hf_${some(WORD, 34)}`, 'login(token="$")']],
    ['digitalocean', () => [`dop_v1_${some(HEX, 64)}`, 'doctl auth init -t $']],
    ['telegram', () => [`${some('123456789', 9)}:AA${some(WORD, 33)}`, 'bot = Bot("$")']],
    ['azure', () => [`${some(BASE64, 86)}==`, 'AccountName=a;AccountKey=$;EndpointSuffix=core']],
    [
      'jwt',
      () => [`eyJ${some(WORD, 33)}.eyJ${some(WORD, 60)}.${some(`${WORD}-_`, 43)}`, 'Cookie: session=$'],
    ],
    ['url', () => [`${some(WORD, 10)}7q`, 'postgres://app:$@db.internal:5432/main']],
    ['bearer', () => [`${some(WORD, 30)}4z`, 'curl -H "Authorization: Bearer $" https://api']],
    ['password', () => [`${some(`${WORD}!#^&`, 18)}92k`, 'password: "$",']],
    ['client secret', () => [`${some(WORD, 30)}81x`, "client_secret => '$'"]],
    ['environment', () => [`${some(HEX, 38)}7a`, '+DB_PASSWORD=$']],
    ['vault', () => [`hvs.${some(WORD, 90)}`, 'vault login $']],
    ['docker', () => [`dckr_pat_${some(WORD, 27)}`, 'docker login -u a -p $']],
    ['shopify', () => [`shpat_${some(HEX, 32)}`, quoted('shop', '$')]],
    ['databricks', () => [`dapi${some(HEX, 32)}`, quoted('host', '$')]],
    ['pem', () => [pem(some, 'RSA PRIVATE KEY'), '$']],
    ['pem', () => [pem(some, 'OPENSSH PRIVATE KEY').replaceAll('\n', '\n+'), '+$']],
  ]
  return [0, 1].flatMap(round =>
    make.map(([kind, one]) => {
      const [secret, line] = one(round)
      return { kind, secret, line: line.replace('$', () => secret) }
    }),
  )
}

const pem = (some: (alphabet: string, length: number) => string, title: string): string => {
  const dashes = '-'.repeat(5)
  const body = Array.from({ length: 12 }, () => some(BASE64, 64)).join('\n')
  return `${dashes}BEGIN ${title}${dashes}\n${body}\n${dashes}END ${title}${dashes}`
}
