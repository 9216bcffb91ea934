import { expect, test } from 'vitest'
import { createClientAddress } from '../../../lib/http/client-address.ts'
import { captureLog } from '../../support/service/capture-log.ts'

function clientAddress(trustProxy: number) {
  return createClientAddress({ trustProxy, log: captureLog().log })
}

test('without a proxy it is the peer', () => {
  expect(clientAddress(0)('192.0.2.1', undefined)).toBe('192.0.2.1')
  expect(clientAddress(1)('192.0.2.1', undefined)).toBe('192.0.2.1')
  expect(clientAddress(0)(undefined, undefined)).toBe('unknown')
})

test('without trust X-Forwarded-For is not believed, and warned of once', () => {
  const { log, lines } = captureLog()
  const address = createClientAddress({ trustProxy: 0, log })

  expect(address('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
  expect(address('192.0.2.1', '203.0.113.10')).toBe('192.0.2.1')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'warn', msg: expect.stringContaining('TRUST_PROXY') })
})

test('one trusted hop is the last entry: what the client wrote before it is not believed', () => {
  expect(clientAddress(1)('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
  expect(clientAddress(1)('10.0.0.1', '198.51.100.66, 203.0.113.9')).toBe('203.0.113.9')
})

test('two trusted hops are the entry before the last', () => {
  expect(clientAddress(2)('10.0.0.1', '198.51.100.66, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
})

test('fewer entries than trusted hops: the first', () => {
  expect(clientAddress(3)('10.0.0.1', '203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
})

test('an empty entry falls back to the peer', () => {
  expect(clientAddress(1)('10.0.0.1', '')).toBe('10.0.0.1')
  expect(clientAddress(1)('10.0.0.1', '203.0.113.9, ')).toBe('10.0.0.1')
})

test.each([
  ['203.0.113.9:51234', '203.0.113.9'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
])('the port of %s is not part of the address', (hop, expected) => {
  expect(clientAddress(1)('10.0.0.1', hop)).toBe(expected)
})
