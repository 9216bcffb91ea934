import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Source {
  /** From the root of the project, with `/` between segments. */
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
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(m?ts|tsx)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()

  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(ROOT, file), 'utf8')
      return { file, text, imports: importsOf(file, text) }
    }),
  )
}
