import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ASSET_TYPES } from '../http/asset-answer.ts'
import type { Assets } from '../http/function-deps.ts'

/** The newest build, also for the sources. */
const BUILD = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../', import.meta.url)

/** Reads every file that the build made for a page. */
export async function loadAssets(page: 'console' | 'docs'): Promise<Assets> {
  const folder = new URL(`${page}/`, BUILD)
  const names = (await readdir(folder)).filter((name) => ASSET_TYPES[extname(name)] !== undefined)
  const read = (name: string) => readFile(new URL(name, folder))
  const files = names.map(async (name) => {
    const [identity, br, gzip] = await Promise.all([read(name), read(`${name}.br`), read(`${name}.gz`)])
    return [name, { identity, br, gzip }] as const
  })
  return new Map(await Promise.all(files))
}
