import { DomainError } from '../../base/errors.ts'
import type { LocalFile } from '../../infrastructure/storage/find-local-file.ts'
import { CACHE_CONTROL } from '../../infrastructure/storage/storage.ts'

interface FileRequest {
  method: string
  header(name: string): string | undefined
}

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/** Reads the part that a `Range` header requests. Undefined, the whole file, for several ranges and for malformed ones. */
function readPart(range: string, size: number) {
  const match = ONE_RANGE.exec(range.replaceAll(' ', ''))
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (last && Number(last) < Number(first)) return undefined
  const part =
    suffix === undefined
      ? { first: Number(first), last: Math.min(Number(last || size), size - 1) }
      : { first: Math.max(0, size - Number(suffix)), last: size - 1 }
  if (part.first >= size) throw new DomainError('RANGE_NOT_SATISFIABLE', 'The file has no such bytes', { size })
  return part
}

const matches = (etag: string, list: string) =>
  list.trim() === '*' || list.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** Answers a stored file, which cannot run anything where it is opened. @throws DomainError RANGE_NOT_SATISFIABLE */
export function answerFile(file: LocalFile, { method, header }: FileRequest): Response {
  const etag = `"${file.version}"`
  const [range, ifRange, ifNoneMatch] = ['range', 'if-range', 'if-none-match'].map(header)
  const lasting = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': CACHE_CONTROL,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  }
  if (ifNoneMatch !== undefined && matches(etag, ifNoneMatch)) {
    return new Response(null, { status: 304, headers: lasting })
  }

  // RFC 9110 ignores a range with any other method.
  const isPartWanted = method === 'GET' && (ifRange === undefined || ifRange === etag)
  const part = isPartWanted ? readPart(range ?? '', file.size) : undefined
  const { first, last } = part ?? { first: 0, last: file.size - 1 }
  const bytes = file.size === 0 ? null : ReadableStream.from(file.read(first, last))

  return new Response(bytes, {
    status: part === undefined ? 200 : 206,
    headers: {
      ...lasting,
      'Content-Type': file.type,
      'Content-Length': String(last - first + 1),
      ...(part && { 'Content-Range': `bytes ${first}-${last}/${file.size}` }),
    },
  })
}
