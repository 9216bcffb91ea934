import { findHashedName } from '../http/asset-answer.ts'
import type { ConsoleFiles } from '../http/function-deps.ts'
import { loadAssets } from './load-assets.ts'

/** Reads every file of the built console. */
export async function loadConsole(): Promise<ConsoleFiles> {
  const assets = await loadAssets('console')
  const script = findHashedName(assets, 'main.js') ?? 'main.js'
  const style = findHashedName(assets, 'main.css') ?? 'main.css'
  // All scripts share one that has no imports.
  const entry = assets.get(script)?.identity.toString() ?? ''
  const imports = Array.from(entry.matchAll(/import"\.\/([^"]+)"/g), ([, name = '']) => name)
  return { script, imports, style, assets }
}
