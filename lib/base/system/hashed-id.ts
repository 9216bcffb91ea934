import { createHash } from 'node:crypto'

/** Derives an id in hex from a text, so that repeated work finds its earlier result. */
export const hashedId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
