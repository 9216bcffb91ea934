import type { z } from 'zod'
import { EntryError, SourceError, type SourceName } from './errors.ts'

const UNEXPECTED = 'the answer has an unexpected form'

/** Never the text itself: it could hold a token. */
function parseJson(source: SourceName, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceError(source, 'malformed', UNEXPECTED, { cause: new Error('not JSON') })
  }
}

/** Reads an entry that a source sent; an EntryError where it has another form. */
export function readEntry<T>(source: SourceName, schema: z.ZodType<T>, value: unknown): T | EntryError {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : new EntryError(source, 'malformed', UNEXPECTED, { cause: parsed.error })
}

/** The same. @throws EntryError */
export function parseEntry<T>(source: SourceName, schema: z.ZodType<T>, value: unknown): T {
  const read = readEntry(source, schema, value)
  if (read instanceof EntryError) throw read
  return read
}

/** Reads the JSON text that a source sent. @throws SourceError `malformed` */
export function parseAnswer<T>(source: SourceName, schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseJson(source, text))
  if (parsed.success) return parsed.data
  throw new SourceError(source, 'malformed', UNEXPECTED, { cause: parsed.error })
}
