import type { LookupFunction } from 'node:net'
import { buildConnector, Client, type Dispatcher, errors } from 'undici'
import { readAtMost } from '../../base/system/read-at-most.ts'
import { readHeader } from '../../base/system/read-header.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { ImageError } from './images.ts'
import type { LinkGuard } from './link-guard.ts'

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
/** The encodings that are refused. Some hosts declare others although the bytes are not compressed. */
const COMPRESSED = /\b(gzip|compress|deflate|br|zstd)\b/i
const BYTES_PER_MB = 1024 * 1024

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

  /** Creates a connector that connects only to checked addresses of a host. */
  function createConnector(url: URL): buildConnector.connector {
    const lookup: LookupFunction = (_host, _options, callback) =>
      guard.addressesOf(url).then(
        (addresses) => callback(null, [...addresses]),
        (error) => callback(error, []),
      )
    // `autoSelectFamily` makes a lookup answer all addresses.
    const connect = buildConnector({ lookup, timeout: limits.connectMs, autoSelectFamily: true })

    return (options, callback) =>
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null)
        if (guard.acceptsPeer(url, socket.remoteAddress)) return callback(null, socket)
        socket.destroy()
        callback(new ImageError('the address is private'), null)
      })
  }

  function toImageError(error: unknown): ImageError {
    if (error instanceof ImageError) return error
    const reason =
      error instanceof errors.ConnectTimeoutError
        ? `its host could not be reached within ${limits.connectMs / 1_000} seconds`
        : 'the connection to its host failed'
    return new ImageError(reason, { cause: error })
  }

  /** Sends a request on a new connection, and always closes it. */
  async function hop(url: URL, signal: AbortSignal): Promise<Hop> {
    const client = new Client(url.origin, { connect: createConnector(url), headersTimeout: 0, bodyTimeout: 0 })
    try {
      const request = client.request({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
        reset: true,
        signal,
      })
      const answer = await withTimeout(signal, request)
      // The error of a destroyed body without a listener would end the process.
      answer.body.on('error', () => undefined)

      const location = readLocation(answer)
      if (location !== undefined) return { location }
      checkHeaders(answer)
      const bytes = await readAtMost(answer.body, limits.bytes)
      if (bytes === undefined) throw tooLarge()
      return { bytes }
    } catch (error) {
      signal.throwIfAborted()
      throw toImageError(error)
    } finally {
      await client.destroy()
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
