import { expect, test } from 'vitest'
import { isPublicAddress } from '#lib/infrastructure/images/link-guard'

const PUBLIC = ['1.1.1.1', '8.8.8.8', '11.0.0.1', '172.32.0.1', '193.0.0.1', '223.255.255.255', '2606:4700::1111']

const NOT_PUBLIC = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  unspecified: ['::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1'],
  'shared with a carrier': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.1',
    '192.88.99.1',
    '4000::1',
    '100::1',
    '100:0:0:1::1',
    '5f00::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'the metadata of clouds': ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
  'IPv4 as IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  'NAT64, 6to4 and Teredo': ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
  'identifiers, no addresses': ['2001:10::1', '2001:20::1', '2001:30::1'],
  'an interface of its own': ['fe80::1%eth0', '2606:4700::1111%eth0'],
  'no canonical address': ['127.1', '2130706433', '0x7f000001', '010.0.0.1', '8.8.8.8.', '8.8.8', 'localhost', ''],
}

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(Object.entries(NOT_PUBLIC))('%s is not public', (_, addresses) => {
  expect(addresses.filter((address) => isPublicAddress(address))).toEqual([])
})
