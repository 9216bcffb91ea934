import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 that is given to hosts of the internet; what lies outside is of no range that the library knows, either. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's metadata service on every virtual machine, although its range is public. */
const AZURE_HOST = '168.63.129.16'

/**
 * True for an address of a host on the internet. An IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo) is refused, whatever it embeds.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || address === AZURE_HOST) return false

  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6))
}
