import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export const inRoot = (...names) => join(ROOT, ...names)

export const readJson = (name) => JSON.parse(readFileSync(inRoot(name), 'utf8'))

/** Tells a person what happens, apart from what a command prints as its result. */
export const print = (text) => process.stderr.write(text)

/** A problem that is told in a sentence, without a stack. */
export const refusal = (message) => Object.assign(new Error(message), { isRefusal: true })
