import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'
import { isVisible, withoutUnseen } from '../../contract/texts/visible-text.ts'

/** An optional fact of an entry: absent where its source leaves it out, or sends another form of it. */
export const fact = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** A list of facts, without the items of another form. */
export const facts = <T extends z.ZodType>(row: T) =>
  z
    .array(fact(row))
    .catch([])
    .transform((rows) => rows.filter((row) => row !== undefined))

/** Gives each of some keys the same schema. */
export const repeatSchema = <const K extends string, T extends z.ZodType>(keys: readonly K[], schema: T) =>
  // `fromEntries` loses the names of the keys.
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, T>

/** A number, which some sources send as text. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,15})?$/)
    .transform(Number),
])
export const number = fact(numeric)

/** An address, a code or a date, in the form that was sent. */
export const text = fact(z.string())

/** A text for people. Some sources write HTML entities in it. */
const decoded = z.string().transform((sent) => decodeHTMLStrict(sent))

/** A text of several lines. */
export const words = fact(decoded.refine(isVisible))

/** A name, without the characters that show nothing. */
export const visibleName = decoded.transform(withoutUnseen)
export const name = fact(visibleName)

/** The name of an entry, which is required. */
export const entryName = visibleName.pipe(z.string().trim().min(1))
