import ipaddr from 'ipaddr.js'
import type { Logger } from '../observability/log.ts'

type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string

/** Whether the peer of a connection is this machine. */
export const isLoopbackAddress = (peer: string | undefined) =>
  peer !== undefined && ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback'

/** Some proxies write the port, too, which is another one for each connection. */
const withoutPort = (hop: string) => /^\[(.+)\](:\d+)?$/.exec(hop)?.[1] ?? /^([^:]+):\d+$/.exec(hop)?.[1] ?? hop

/**
 * Finds the address that a request comes from: the peer's address, or with `trustProxy` hops believed, the entry of `X-Forwarded-For`
 * that the outermost trusted proxy wrote.
 */
export function createClientAddress({ trustProxy, log }: { trustProxy: number; log: Logger }): ClientAddress {
  let hasWarned = false

  return function clientAddress(peer = 'unknown', forwardedFor) {
    if (forwardedFor === undefined) return peer
    if (trustProxy === 0) {
      if (!hasWarned) {
        log.warn('A request carries X-Forwarded-For, but TRUST_PROXY is 0: limits see the proxy as one address')
        hasWarned = true
      }
      return peer
    }
    const hops = forwardedFor.split(',').map((hop) => withoutPort(hop.trim()))
    return hops[Math.max(0, hops.length - trustProxy)] || peer
  }
}
