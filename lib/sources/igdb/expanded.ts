import { z } from 'zod'

const Id = z.union([z.number(), z.object({ id: z.number() }).transform(({ id }) => id)])

/** What a reference names, whether it was expanded or not. */
export const reference = Id.optional()
export const references = z.array(Id).default([])

/** An expanded reference; one to a deleted row stays a number and counts as absent. */
export const expanded = <T extends z.ZodType>(row: T) =>
  z
    .union([row, z.number().transform(() => undefined)])
    .optional()
    .transform((value): z.output<T> | undefined => value)

/** Expanded references without those to deleted rows. */
export const expandedList = <T extends z.ZodType>(row: T) =>
  z
    .array(z.union([row.transform((value) => [value]), z.number().transform(() => [])]))
    .default([])
    .transform((rows) => rows.flat())

// A row without a value has no key for it, whatever the value is.
const Named = z.object({ name: z.string().optional() })

export const name = expanded(Named).transform((row) => row?.name)

export const names = expandedList(Named).transform((rows) => rows.flatMap((row) => row.name ?? []))

/** It becomes part of an address. */
const Image = z.object({ image_id: z.string().regex(/^\w+$/).optional() })

export const image = expanded(Image).transform((row) => row?.image_id)

export const images = expandedList(Image).transform((rows) => rows.flatMap((row) => row.image_id ?? []))
