import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import type { Asset, Assets } from '../http/function-deps.ts'
import { PAGE_SCRIPT, PAGE_STYLE } from './page-files.ts'

const TYPES: Record<string, string> = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

const require = createRequire(import.meta.url)

function toAsset(file: string, content: Buffer): [string, Asset] {
  const extension = extname(file)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const name = `${file.slice(0, -extension.length)}.${digest}${extension}`
  return [file, { name, type: TYPES[extension] ?? 'application/octet-stream', content }]
}

/** Reads everything that the page refers to; nothing else is served below it. */
export async function loadAssets(): Promise<Assets> {
  return new Map([
    toAsset('page.css', Buffer.from(PAGE_STYLE)),
    toAsset('page.js', Buffer.from(PAGE_SCRIPT)),
    toAsset('swagger-ui.css', await readFile(require.resolve('swagger-ui-dist/swagger-ui.css'))),
    toAsset('swagger-ui-bundle.js', await readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  ])
}
