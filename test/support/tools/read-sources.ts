import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listFiles } from './list-files.ts'

export interface Source {
  /** The path from the root of the project, with `/` between segments. */
  file: string
  text: string
  /** Packages by name, files of the project like `file`. */
  imports: string[]
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const IMPORT = /^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

function importsOf(file: string, text: string): string[] {
  return Array.from(text.matchAll(IMPORT), ([, ...groups]) => {
    const name = groups.find((group) => group !== undefined) ?? ''
    if (name.startsWith('#lib/')) return `${name.slice(1)}.ts`
    return name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name
  })
}

export async function readSources(folder: string): Promise<Source[]> {
  const files = (await listFiles(join(ROOT, folder))).filter((file) => /(?<!\.d)\.(m?ts|tsx)$/.test(file))
  return Promise.all(
    files.map(async (path) => {
      const file = join(folder, path)
      const text = await readFile(join(ROOT, file), 'utf8')
      return { file, text, imports: importsOf(file, text) }
    }),
  )
}
