import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Logger } from '../../infrastructure/observability/log.ts'

/** How many proxies that write `X-Forwarded-For` are trusted. */
type AddressOptions = { trustProxy: number }

const isLoopbackAddress = (peer: string) => ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback'

/** True when the peer is this machine and no proxy forwards the request. */
export const isLocalRequest = ({ socket, headers }: IncomingMessage) =>
  headers['x-forwarded-for'] === undefined && isLoopbackAddress(socket.remoteAddress ?? '')

const withoutPort = (hop: string) => /^\[(.+)\](:\d+)?$/.exec(hop)?.[1] ?? /^([^:]+):\d+$/.exec(hop)?.[1] ?? hop

/** Finds the peer's address, or the entry of `X-Forwarded-For` that the outermost trusted proxy wrote. */
export function findClientAddress({ socket, headers }: IncomingMessage, { trustProxy }: AddressOptions): string {
  const peer = socket.remoteAddress ?? 'unknown'
  if (trustProxy === 0) return peer
  const forwardedFor = [headers['x-forwarded-for'] ?? []].flat().join(',')
  if (forwardedFor === '') return peer
  const hops = forwardedFor.split(',').map((hop) => withoutPort(hop.trim()))
  return hops[Math.max(0, hops.length - trustProxy)] || peer
}

/** Wraps `findClientAddress` with one warning when a proxy forwards requests and none is configured. */
export function createClientAddress({ trustProxy, log }: AddressOptions & { log: Logger }) {
  let isWarningDue = trustProxy === 0

  return function clientAddress(request: IncomingMessage): string {
    if (isWarningDue && request.headers['x-forwarded-for'] !== undefined) {
      log.warn('A request carries X-Forwarded-For, but TRUST_PROXY is 0: limits see the proxy as one address')
      isWarningDue = false
    }
    return findClientAddress(request, { trustProxy })
  }
}
