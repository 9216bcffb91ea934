import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export const inRoot = (...names) => join(ROOT, ...names)

export const readJson = (name) => JSON.parse(readFileSync(inRoot(name), 'utf8'))
