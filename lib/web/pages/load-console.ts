import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ASSET_TYPES, findHashedName } from '../http/asset-answer.ts'
import type { Assets, ConsoleFiles } from '../http/function-deps.ts'

/** The same folder for the sources and for the build. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../../../console/',
  import.meta.url,
)

function listImports(assets: Assets, name: string, found = new Set<string>()): Set<string> {
  const text = assets.get(name)?.identity.toString() ?? ''
  for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    if (found.has(imported)) continue
    found.add(imported)
    listImports(assets, imported, found)
  }
  return found
}

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
  return { script, imports: [...listImports(assets, script)], style, assets }
}
