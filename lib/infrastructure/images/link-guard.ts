import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../../base/config.ts'
import { readUrl } from '../../contract/read-url.ts'
import { ImageError } from './images.ts'

/** The IPv6 range of internet hosts. The library calls addresses outside of it unicast, too. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata service of Azure's virtual machines, although its range is public. */
const AZURE_HOST = '168.63.129.16'

/** True for an address of a host on the internet. An IPv6 address that embeds an IPv4 address is refused, whatever it embeds. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || address === AZURE_HOST) return false

  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6))
}

interface Address {
  address: string
  family: number
}

/** Resolves a host name to all its addresses; rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly Address[]>

interface GuardOptions {
  config: Pick<Config, 'imageFetchAllow' | 'igdb'>
  resolve: Resolve
  isPublic: (address: string) => boolean
  ports: readonly number[]
}

export type LinkGuard = ReturnType<typeof createLinkGuard>

const MAX_LINK = 2_048
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }
const LOCAL_NAME = /(^|\.)localhost\.*$/

const readPort = (url: URL) => Number(url.port || DEFAULT_PORTS[url.protocol])
const originKey = (url: URL) => `${url.hostname}:${readPort(url)}`
const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** Lists the exempt hosts and ports in the form of parsed links: `127.1:9000` is `127.0.0.1:9000`. */
function exemptPlaces({ imageFetchAllow, igdb }: GuardOptions['config']): ReadonlySet<string> {
  const urls = [...imageFetchAllow].map((place) => `http://${place}`)
  if (igdb !== undefined) urls.push(igdb.imagesUrl)
  return new Set(urls.flatMap((url) => readUrl(url) ?? []).map(originKey))
}

/** Decides which hosts a download may connect to. The link and every redirect are checked. */
export function createLinkGuard({ config, resolve, isPublic, ports }: GuardOptions) {
  const exempt = exemptPlaces(config)
  const isExempt = (url: URL) => exempt.has(originKey(url))

  return {
    /** Reads a link, or what a redirect of `base` names. @throws ImageError when it may not be followed */
    check(link: string, base?: URL): URL {
      if (link.length > MAX_LINK) throw new ImageError(`the link is longer than ${MAX_LINK} characters`)
      const url = readUrl(link, base)
      if (url === undefined) throw new ImageError('the link is not a valid URL')
      if (DEFAULT_PORTS[url.protocol] === undefined) throw new ImageError('the link is not an http(s) URL')
      if (url.username !== '' || url.password !== '') throw new ImageError('the link contains credentials')
      if (isExempt(url)) return url
      if (!ports.includes(readPort(url))) throw new ImageError(`the port is not ${ports.join(' or ')}`)
      const host = bareHost(url)
      if (LOCAL_NAME.test(host) || (isIP(host) > 0 && !isPublic(host))) throw new ImageError('the address is private')
      return url
    },

    /** Finds the addresses of the host name of a checked link. @throws ImageError when one is not public */
    async addressesOf(url: URL): Promise<readonly Address[]> {
      const addresses = await resolve(url.hostname).catch((cause: unknown) => {
        throw new ImageError('its host is unknown', { cause })
      })
      if (addresses.length === 0) throw new ImageError('its host is unknown')
      if (!isExempt(url) && !addresses.every(({ address }) => isPublic(address)))
        throw new ImageError('the address is private')
      return addresses
    },

    /** True when the connected peer of a checked link has an allowed address. */
    acceptsPeer: (url: URL, address: string | undefined) =>
      isExempt(url) || (address !== undefined && isPublic(address)),
  }
}
