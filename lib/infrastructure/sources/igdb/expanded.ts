import { z } from 'zod'
import { numeric, seenName } from '../facts.ts'

const Row = z.record(z.string(), z.unknown())

/** One fact of an expanded row. A reference to a deleted row stays a number, so it has none. */
export const factOf = <T>(key: string, schema: z.ZodType<T>) => Row.transform((row) => row[key]).pipe(schema)

export const Reference = z.union([numeric, factOf('id', numeric)])

export const Named = factOf('name', seenName)

/** Image id, part of an address. */
export const Image = factOf('image_id', z.string().regex(/^[\w-]+$/))
