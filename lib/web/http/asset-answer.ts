import { extname, parse } from 'node:path'
import { parseAccept } from 'hono/utils/accept'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { CACHE_CONTROL } from '../../infrastructure/storage/storage.ts'
import type { Assets } from './function-deps.ts'

export const ASSET_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Finds the hashed name of a page's file by its source name, as `main.js`. */
export function findHashedName(assets: Assets, file: string): string | undefined {
  const { name, ext } = parse(file)
  return [...assets.keys()].find((hashed) => hashed.startsWith(`${name}.`) && extname(hashed) === ext)
}

const ENCODINGS = ['br', 'gzip'] as const

/** Answers a file of a page by its hashed name, cacheable forever and compressed. @throws DomainError NOT_FOUND */
export function answerAsset(assets: Assets, name: string, acceptEncoding = ''): Response {
  const asset = assets.get(name)
  if (asset === undefined) throw new DomainError('NOT_FOUND', MESSAGES.nothingHere)
  const accepted = new Set(parseAccept(acceptEncoding).flatMap(({ type, q }) => (q > 0 ? type : [])))
  const encoding = ENCODINGS.find((candidate) => accepted.has(candidate))
  const content = asset[encoding ?? 'identity']
  return new Response(content, {
    headers: {
      'Content-Type': ASSET_TYPES[extname(name)] ?? 'application/octet-stream',
      'Content-Length': String(content.length),
      'Cache-Control': CACHE_CONTROL,
      Vary: 'Accept-Encoding',
      ...(encoding && { 'Content-Encoding': encoding }),
    },
  })
}
