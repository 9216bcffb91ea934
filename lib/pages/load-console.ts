import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Asset, ConsoleFiles } from '../http/function-deps.ts'

const TYPES: Record<string, string> = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

/** The same folder, whether the sources run or what was built of them. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/console/' : '../../console/', import.meta.url)

/** The files that a bundled script imports, and those that they import. */
function listImports(assets: ReadonlyMap<string, Asset>, name: string, found = new Set<string>()): Set<string> {
  const text = assets.get(name)?.content.toString() ?? ''
  for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    if (found.has(imported)) continue
    found.add(imported)
    listImports(assets, imported, found)
  }
  return found
}

/** Reads every file of the built console. */
export async function loadConsole(): Promise<ConsoleFiles> {
  const names = (await readdir(FOLDER)).filter((name) => TYPES[extname(name)] !== undefined)
  const assets = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, Asset]> => {
        const content = await readFile(new URL(name, FOLDER))
        return [name, { name, type: TYPES[extname(name)] ?? 'application/octet-stream', content }]
      }),
    ),
  )
  const find = (extension: string) => names.find((name) => name.startsWith('main.') && extname(name) === extension)
  const script = find('.js') ?? 'main.js'
  return { script, imports: [...listImports(assets, script)], style: find('.css') ?? 'main.css', assets }
}
