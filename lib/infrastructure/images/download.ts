import type { LookupFunction } from 'node:net'
import { buildConnector, Client, type Dispatcher } from 'undici'
import { readAtMost } from '../../base/system/read-at-most.ts'
import { readHeader } from '../../base/system/read-header.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { ImageError } from './images.ts'
import type { Address, LinkGuard } from './link-guard.ts'

interface DownloadOptions {
  guard: LinkGuard
  userAgent: string
  limits: { redirects: number; connectMs: number; bytes: number }
}

/** Downloads the body of an image link. @throws ImageError, or the reason of the signal */
export type Download = (link: string, signal: AbortSignal) => Promise<Buffer>

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>
type Hop = { bytes: Buffer } | { location: string }

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Some hosts declare other encodings although the bytes are not compressed. */
const COMPRESSED = /\b(gzip|compress|deflate|br|zstd)\b/i
const BYTES_PER_MB = 1024 * 1024

const toSeconds = (ms: number) => `${ms / 1_000} seconds`

/** Makes the socket connect to the checked addresses, without another DNS lookup. */
const answerWith =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

function readLocation({ statusCode, headers }: Answer): string | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined
  const location = readHeader(headers, 'location')
  if (location === undefined) throw new ImageError('its redirect leads nowhere')
  // The bytes of a header come as Latin-1, and hosts write addresses in UTF-8.
  return location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
}

export function createDownload({ guard, userAgent, limits }: DownloadOptions): Download {
  const tooLarge = () => new ImageError(`it is larger than ${limits.bytes / BYTES_PER_MB} MB`)

  function checkHeaders({ statusCode, headers }: Answer): void {
    const type = readHeader(headers, 'content-type') ?? ''
    if (statusCode !== 200) throw new ImageError(`its host answered with status ${statusCode}`)
    if (COMPRESSED.test(String(headers['content-encoding']))) throw new ImageError('its host sent it compressed')
    if (!/^image\//i.test(type)) throw new ImageError('it is no image')
    if (Number(readHeader(headers, 'content-length') ?? 0) > limits.bytes) throw tooLarge()
  }

  function createConnector(url: URL, addresses: readonly Address[], signal: AbortSignal): buildConnector.connector {
    // The hop has its own time limit, which includes the DNS lookup.
    const connect = buildConnector({ lookup: answerWith(addresses), timeout: 0, signal })

    return (options, callback) =>
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null)
        if (guard.acceptsPeer(url, socket.remoteAddress)) return callback(null, socket)
        socket.destroy()
        callback(new ImageError('the address is private'), null)
      })
  }

  /** Sends a request on a new connection, and always closes it. */
  async function hop(url: URL, signal: AbortSignal): Promise<Hop> {
    const late = new AbortController()
    const ending = AbortSignal.any([signal, late.signal])
    const timer = setTimeout(() => {
      late.abort(new ImageError(`its host could not be reached within ${toSeconds(limits.connectMs)}`))
    }, limits.connectMs)
    const closing = new AbortController()
    let client: Client | undefined
    try {
      const addresses = await withTimeout(ending, guard.addressesOf(url))
      client = new Client(url.origin, {
        connect: createConnector(url, addresses, closing.signal),
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      client.once('connect', () => clearTimeout(timer))
      const request = client.request({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
        reset: true,
        signal: ending,
      })
      const answer = await withTimeout(ending, request)
      // Destroying a body that nobody listens to would end the process.
      answer.body.on('error', () => undefined)

      const location = readLocation(answer)
      if (location !== undefined) return { location }
      checkHeaders(answer)
      const bytes = await readAtMost(answer.body, limits.bytes)
      if (bytes === undefined) throw tooLarge()
      return { bytes }
    } catch (error) {
      ending.throwIfAborted()
      throw error instanceof ImageError ? error : new ImageError('the connection to its host failed', { cause: error })
    } finally {
      clearTimeout(timer)
      await client?.destroy()
      // The client does not own a connection that is still being made.
      closing.abort()
    }
  }

  return async (link, signal) => {
    let url = guard.check(link)
    for (let left = limits.redirects; ; left -= 1) {
      signal.throwIfAborted()
      const result = await hop(url, signal)
      if ('bytes' in result) return result.bytes
      if (left === 0) throw new ImageError(`it is behind more than ${limits.redirects} redirects`)
      url = guard.check(result.location, url)
    }
  }
}
