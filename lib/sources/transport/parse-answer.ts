import type { z } from 'zod'
import { SourceError, type SourceName } from './errors.ts'

const UNEXPECTED = 'the answer has an unexpected form'

/** Never the text itself: it could hold a token. */
function parseJson(source: SourceName, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SourceError(source, 'malformed', UNEXPECTED, { cause: new Error('not JSON') })
  }
}

/** Reads a value that a source sent; a SourceError `malformed` where it has another form. */
export function readValue<T>(source: SourceName, schema: z.ZodType<T>, value: unknown): T | SourceError {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : new SourceError(source, 'malformed', UNEXPECTED, { cause: parsed.error })
}

/** The same. @throws SourceError `malformed` */
export function parseValue<T>(source: SourceName, schema: z.ZodType<T>, value: unknown): T {
  const read = readValue(source, schema, value)
  if (read instanceof SourceError) throw read
  return read
}

/** Reads the JSON text that a source sent. @throws SourceError `malformed` */
export const parseAnswer = <T>(source: SourceName, schema: z.ZodType<T>, text: string): T =>
  parseValue(source, schema, parseJson(source, text))
