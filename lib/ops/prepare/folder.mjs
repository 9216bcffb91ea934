import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export const inRoot = (...names) => join(ROOT, ...names)

export const readJson = (name) => JSON.parse(readFileSync(inRoot(name), 'utf8'))

/** Deletes what is in a folder, not the folder itself: it may be a mount. */
export function emptyFolder(name, kept) {
  if (!existsSync(inRoot(name))) return
  for (const entry of readdirSync(inRoot(name))) {
    if (entry !== kept) rmSync(inRoot(name, entry), { recursive: true, force: true })
  }
}
