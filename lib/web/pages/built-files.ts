import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { DomainError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { ASSET_TYPES, findHashedName } from '../http/asset-answer.ts'
import type { Assets, ConsoleFiles } from '../http/function-deps.ts'

/** The newest build, also for the sources. */
const BUILD = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/' : '../../../', import.meta.url)

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

export async function loadConsole(): Promise<ConsoleFiles> {
  const assets = await loadAssets('console')
  const script = findHashedName(assets, 'main.js') ?? 'main.js'
  const style = findHashedName(assets, 'main.css') ?? 'main.css'
  // All scripts share one that has no imports.
  const entry = assets.get(script)?.identity.toString() ?? ''
  const imports = Array.from(entry.matchAll(/import"\.\/([^"]+)"/g), ([, name = '']) => name)
  return { script, imports, style, assets }
}

/** Reads the client's tarball of this version. @throws DomainError NOT_FOUND before any build */
export async function loadClientPackage(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(new URL('client.tgz', BUILD)))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new DomainError('NOT_FOUND', 'The client has not been built')
    throw error
  }
}
