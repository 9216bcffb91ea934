import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Asset, ConsoleFiles } from '../http/function-deps.ts'

const TYPES: Record<string, string> = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8' }

/** The same folder, whether the sources run or what was built of them. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/console/' : '../../console/', import.meta.url)

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
  return { script: find('.js') ?? 'main.js', style: find('.css') ?? 'main.css', assets }
}
