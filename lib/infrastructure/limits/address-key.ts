import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The key of an address in a limit: an IPv6 address counts by its /64, which is one connection's, IPv4 within IPv6 as
 * itself.
 */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address

  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
