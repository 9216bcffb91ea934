import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parse } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Asset, Assets } from '../http/function-deps.ts'
import { PAGE_SCRIPT, PAGE_STYLE } from './page-files.ts'

const require = createRequire(import.meta.url)
const compress = promisify(gzip)

async function withHashedName(file: string, content: Buffer): Promise<[string, Asset]> {
  const { name, ext } = parse(file)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return [`${name}.${digest}${ext}`, { identity: content, gzip: await compress(content) }]
}

/** Reads every file that the page references. No other file is served below it. */
export async function loadAssets(): Promise<Assets> {
  return new Map(
    await Promise.all([
      withHashedName('page.css', Buffer.from(PAGE_STYLE)),
      withHashedName('page.js', Buffer.from(PAGE_SCRIPT)),
      withHashedName('swagger-ui.css', await readFile(require.resolve('swagger-ui-dist/swagger-ui.css'))),
      withHashedName('swagger-ui-bundle.js', await readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
    ]),
  )
}
