import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ASSET_TYPES, findHashedName } from '../http/asset-answer.ts'
import type { ConsoleFiles } from '../http/function-deps.ts'

/** The same folder for the sources and for the build. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../../../console/',
  import.meta.url,
)

/** Reads every file of the built console. */
export async function loadConsole(): Promise<ConsoleFiles> {
  const names = (await readdir(FOLDER)).filter((name) => ASSET_TYPES[extname(name)] !== undefined)
  const read = (name: string) => readFile(new URL(name, FOLDER))
  const files = names.map(async (name) => {
    const [identity, br, gzip] = await Promise.all([read(name), read(`${name}.br`), read(`${name}.gz`)])
    return [name, { identity, br, gzip }] as const
  })
  const assets = new Map(await Promise.all(files))
  const script = findHashedName(assets, 'main.js') ?? 'main.js'
  const style = findHashedName(assets, 'main.css') ?? 'main.css'
  // All scripts share one that has no imports.
  const entry = assets.get(script)?.identity.toString() ?? ''
  const imports = Array.from(entry.matchAll(/import"\.\/([^"]+)"/g), ([, name = '']) => name)
  return { script, imports, style, assets }
}
