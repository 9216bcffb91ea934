import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 that is given to hosts of the internet; what lies outside is of no range that the library knows, either. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** A public address by its range, but it is the cloud's own service on every virtual machine there. */
const AZURE_HOST = '168.63.129.16'

/**
 * Whether an address belongs to a host of the internet. IPv6 that stands for an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo) does not, whatever it stands for.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || address === AZURE_HOST) return false

  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6))
}
