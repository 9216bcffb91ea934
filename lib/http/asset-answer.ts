import { extname, parse } from 'node:path'
import { DomainError } from '../errors.ts'
import { CACHE_CONTROL } from '../storage/cache-control.ts'
import type { Assets } from './function-deps.ts'

/** The media types of a page's files. */
export const ASSET_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Finds the hashed name of a page's file by its own: `main.js`. */
export function findHashedName(assets: Assets, file: string): string | undefined {
  const { name, ext } = parse(file)
  return [...assets.keys()].find((hashed) => hashed.startsWith(`${name}.`) && extname(hashed) === ext)
}

/** Answers a file of a page by its hashed name, to be kept for good. @throws DomainError NOT_FOUND */
export function answerAsset(assets: Assets, name: string): Response {
  const content = assets.get(name)
  if (content === undefined) throw new DomainError('NOT_FOUND', 'There is nothing at this address')
  const type = ASSET_TYPES[extname(name)] ?? 'application/octet-stream'
  return new Response(content, { headers: { 'Content-Type': type, 'Cache-Control': CACHE_CONTROL } })
}
