import { expect, it } from 'vitest'
import { reachOf } from '../../../dist/adapters/expanders/addresses.js'

it.each([
  ['169.254.169.254', 'blocked'],
  ['::ffff:169.254.169.254', 'blocked'],
  ['::ffff:a9fe:a9fe', 'blocked'],
  ['64:ff9b::a9fe:a9fe', 'blocked'],
  ['2002:a9fe:a9fe::', 'blocked'],
  ['fe80::1%eth0', 'blocked'],
  ['fd00:ec2::254', 'blocked'],
  ['100.100.100.200', 'blocked'],
  ['0.0.0.0', 'blocked'],
  ['::', 'blocked'],
  ['255.255.255.255', 'blocked'],
  ['ff02::1', 'blocked'],
  ['not an address', 'blocked'],
  ['127.0.0.1', 'private'],
  ['127.9.9.9', 'private'],
  ['::1', 'private'],
  ['::ffff:127.0.0.1', 'private'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.5', 'private'],
  ['fd12:3456::1', 'private'],
  ['172.32.0.1', 'public'],
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
])('%s is %s', (address, reach) => {
  expect(reachOf(address)).toBe(reach)
})
