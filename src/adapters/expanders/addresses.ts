/** Which addresses a question may be sent to. Decided on the address that is connected to, not on the name it came from. */

import { BlockList, isIP } from 'node:net'

const blocked = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16], // link-local: the metadata services of most clouds
  ['100.100.100.200', 32], // metadata of Alibaba Cloud
  ['192.0.0.0', 24], // metadata of Oracle Cloud, among others
  ['224.0.0.0', 3], // multicast, reserved, broadcast
] as const)
  blocked.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::', 32], // metadata of Amazon
  ['fd20:ce::', 32], // metadata of Google
  ['ff00::', 8],
] as const)
  blocked.addSubnet(network, prefix, 'ipv6')

const own = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['198.18.0.0', 15],
] as const)
  own.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
] as const)
  own.addSubnet(network, prefix, 'ipv6')

export type Reach = 'public' | 'private' | 'blocked'

export const reachOf = (address: string): Reach => {
  const plain = inner(address)
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(plain) === 0 || blocked.check(plain, family)) return 'blocked'
  return own.check(plain, family) ? 'private' : 'public'
}

/** IPv6 can carry an IPv4 address inside (mapped, translated, 6to4): that one is looked at. */
const inner = (address: string): string => {
  const plain = address.replace(/^\[|\]$/g, '').split('%', 1)[0]!
  if (isIP(plain) !== 6) return plain
  const groups = expandGroups(plain)
  const at = (position: number) => groups[position]!
  const isMapped = groups.slice(0, 5).every(group => group === 0) && (at(5) === 0xffff || at(5) === 0)
  const isTranslated = at(0) === 0x64 && at(1) === 0xff9b
  if (isTranslated || (isMapped && (at(6) !== 0 || at(7) > 1))) return dotted(at(6), at(7))
  return at(0) === 0x2002 ? dotted(at(1), at(2)) : plain
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

const expandGroups = (address: string): number[] => {
  const [head = '', tail] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, fourAsTwo).split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))
  const front = numbers(head)
  const back = tail === undefined ? [] : numbers(tail)
  return [...front, ...new Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back]
}

const fourAsTwo = (_: string, ...parts: unknown[]): string => {
  const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number]
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}
