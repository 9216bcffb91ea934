import { createHash } from 'node:crypto'

/** An id, in hex, that is the same for the same text: work that is done again finds what it made. */
export const hashedId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
