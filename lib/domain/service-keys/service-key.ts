import { createHash, randomBytes } from 'node:crypto'

const BYTES = 32
const FORM = /^ghk_[\w-]{43}$/

/** A random key needs no slow hash. */
const hash = (key: string) => createHash('sha256').update(key).digest('hex')

export function createServiceKey(): { key: string; hash: string } {
  const key = `ghk_${randomBytes(BYTES).toString('base64url')}`
  return { key, hash: hash(key) }
}

/** Hashes a key as it is stored. Null for a text that is no key. */
export const hashServiceKey = (text: string): string | null => (FORM.test(text) ? hash(text) : null)
