import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createClientAddress, isLocalRequest } from '#lib/web/http/client-address'
import { captureLog } from '../../../support/service/capture-log.ts'

function requestFrom(peer: string | undefined, forwardedFor: string | undefined): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  Object.defineProperty(request.socket, 'remoteAddress', { value: peer })
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

function clientAddress(trustProxy: number, log = captureLog().log) {
  const find = createClientAddress({ trustProxy, log })
  return (peer: string | undefined, forwardedFor: string | undefined) => find(requestFrom(peer, forwardedFor))
}

test.each([
  ['the peer without a proxy', 0, '10.0.0.1', undefined, '10.0.0.1'],
  ['the peer of a proxy that sends no header', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['the last entry of one trusted hop', 1, '10.0.0.1', '198.51.100.66, 203.0.113.9', '203.0.113.9'],
  ['the entry before of two', 2, '10.0.0.1', '198.51.100.66, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['the first of fewer entries than hops', 3, '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['the peer behind an empty entry', 1, '10.0.0.1', '203.0.113.9, ', '10.0.0.1'],
  ['one without its port', 1, '10.0.0.1', '203.0.113.9:51234', '203.0.113.9'],
  ['one of IPv6 without its port', 1, '10.0.0.1', '[2001:db8::1]:51234', '2001:db8::1'],
  ['one of IPv6', 1, '10.0.0.1', '2001:db8::1', '2001:db8::1'],
])('the address is %s', (_, trustProxy, peer, forwardedFor, expected) => {
  expect(clientAddress(trustProxy)(peer, forwardedFor)).toBe(expected)
})

test('without a trusted proxy X-Forwarded-For is ignored, with one warning', () => {
  const { log, lines } = captureLog()
  const address = clientAddress(0, log)

  expect(address('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
  expect(address('192.0.2.1', '203.0.113.10')).toBe('192.0.2.1')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'warn', msg: expect.stringContaining('TRUST_PROXY') })
})

test.each([
  ['127.0.0.1', undefined, true],
  ['::1', undefined, true],
  ['::ffff:127.0.0.1', undefined, true],
  ['127.0.0.1', '127.0.0.1', false],
  ['192.168.1.7', undefined, false],
  ['2001:db8::1', undefined, false],
  [undefined, undefined, false],
])('a request from %s for %s is local: %s', (peer, forwardedFor, isLocal) => {
  expect(isLocalRequest(requestFrom(peer, forwardedFor))).toBe(isLocal)
})
