import { z } from 'zod'

/** A value that may be missing: the source leaves its key out, and null would say the same. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)

export const text = optional(z.string())

const Id = z.union([z.number(), z.object({ id: optional(z.number()) }).transform(({ id }) => id)])

export const reference = optional(Id)
export const references = optional(z.array(optional(Id))).transform((ids = []) => ids.flatMap((id) => id ?? []))

/** An expanded reference; one to a deleted row stays a number and counts as absent. */
export const expanded = <T extends z.ZodType>(row: T) =>
  optional(z.union([row, z.number().transform(() => undefined)])).transform((value): z.output<T> | undefined => value)

/** Expanded references without those to deleted rows. */
export const expandedList = <T extends z.ZodType>(row: T) =>
  optional(
    z.array(z.union([row.transform((value) => [value]), z.union([z.number(), z.null()]).transform(() => [])])),
  ).transform((rows = []) => rows.flat())

const Named = z.object({ name: text })

export const name = expanded(Named).transform((row) => row?.name)

export const names = expandedList(Named).transform((rows) => rows.flatMap((row) => row.name ?? []))

/** Image id, part of an address. */
const IMAGE_FORM = /^[\w-]+$/
const Image = z.object({ image_id: text.transform((id) => (id && IMAGE_FORM.test(id) ? id : undefined)) })

export const image = expanded(Image).transform((row) => row?.image_id)

export const images = expandedList(Image).transform((rows) => rows.flatMap((row) => row.image_id ?? []))
