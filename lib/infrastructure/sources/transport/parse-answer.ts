import type { z } from 'zod'
import { EntryError, SourceError, type SourceName } from './errors.ts'

const UNEXPECTED = 'the answer has an unexpected form'

/** Parses JSON. The error does not contain the text, which may have a token. */
function parseJson(source: SourceName, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceError(source, 'malformed', UNEXPECTED, { cause: new Error('not JSON') })
  }
}

/** Reads an entry that a source sent. @returns an EntryError when it has another form */
export function readEntry<T, E>(
  source: SourceName,
  schema: z.ZodType<T>,
  value: unknown,
  toEntry: (read: T) => E,
): E | EntryError {
  const parsed = schema.safeParse(value)
  return parsed.success
    ? toEntry(parsed.data)
    : new EntryError(source, 'malformed', UNEXPECTED, { cause: parsed.error })
}

/** Reads the JSON text that a source sent. @throws SourceError `malformed` */
export function parseAnswer<T>(source: SourceName, schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseJson(source, text))
  if (parsed.success) return parsed.data
  throw new SourceError(source, 'malformed', UNEXPECTED, { cause: parsed.error })
}
