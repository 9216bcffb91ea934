import { z } from 'zod'
import { Id } from '../ids.ts'
import {
  type Column,
  type Columns,
  type EntryField,
  type EntryFields,
  type GameRelation,
  RELATIONS,
} from './entry-fields.ts'
import { distinctList, idList, Link, linkList, longText, nameText, nameTexts } from './payload.ts'

/** 1900 to 9999. Milliseconds sent by mistake exceed it, for any date after January 1978. */
const unixSeconds = z.int().min(-2_208_988_800).max(253_402_300_799)

const mapEntries = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const orAbsent = ({ isRequired }: Column, schema: z.ZodType) => (isRequired ? schema : schema.optional())

/** Lists of games by relation. */
export const relationsShape = (ids: z.ZodArray<typeof Id>) =>
  // `fromEntries` loses the names of the relations.
  mapEntries(RELATIONS, () => ids.optional()) as Record<GameRelation, z.ZodOptional<typeof ids>>

/** The schemas of answered fields and cells, without bounds, because sources write longer values. */
const ANSWERED = {
  text: z.string(),
  long: z.string(),
  link: z.string(),
  image: z.string(),
  date: z.number(),
  number: z.number(),
  region: z.number(),
  flag: z.boolean(),
  lines: z.array(z.string()),
  links: z.array(z.string()),
  images: z.array(z.string()),
  game: Id,
  platform: Id,
  platforms: z.array(Id),
  games: z.array(Id),
  relations: z.object(relationsShape(z.array(Id))),
} as const satisfies Record<Exclude<(EntryField | Column)['kind'], 'rows'>, z.ZodType>

type RowShape<C extends Columns> = {
  [K in keyof C]: C[K] extends { isRequired: true }
    ? (typeof ANSWERED)[C[K]['kind']]
    : z.ZodOptional<(typeof ANSWERED)[C[K]['kind']]>
}
type FieldSchema<F> = F extends { columns: infer C extends Columns }
  ? z.ZodArray<z.ZodObject<RowShape<C>, z.core.$strip>>
  : F extends { kind: keyof typeof ANSWERED }
    ? (typeof ANSWERED)[F['kind']]
    : never
type Shape<F extends EntryFields> = { [K in keyof F]: z.ZodOptional<FieldSchema<F[K]>> }

export type FieldValue<F> = z.infer<FieldSchema<F>>

export const answeredRow = <C extends Columns>(columns: C) =>
  // `fromEntries` loses the type of each column.
  z.object(mapEntries(columns, (column) => orAbsent(column, ANSWERED[column.kind])) as RowShape<C>)

/** The schemas of all fields as they are answered. */
export const answeredShape = <F extends EntryFields>(fields: F) =>
  // `fromEntries` loses the type of each field.
  mapEntries(fields, (field) =>
    (field.kind === 'rows' ? z.array(answeredRow(field.columns)) : ANSWERED[field.kind]).optional(),
  ) as Shape<F>

function toProposed(field: EntryField | Column): z.ZodType {
  switch (field.kind) {
    case 'text':
      return nameText(field.max)
    case 'long':
      return longText(field.max)
    case 'lines':
      return nameTexts(field.count, field.max)
    case 'links':
    case 'images':
      return linkList(field.count)
    case 'image':
    case 'link':
      return Link
    case 'date':
      return unixSeconds
    case 'number': {
      const { min = 1, max = Number.MAX_SAFE_INTEGER } = field
      return z.int().min(min).max(max)
    }
    case 'flag':
      return z.boolean()
    case 'region':
      return z.int().min(1).max(20)
    case 'platforms':
    case 'games':
      return idList(field.count)
    case 'game':
    case 'platform':
      return Id
    case 'relations':
      return z.strictObject(relationsShape(idList(field.count)))
    case 'rows':
      return distinctList(
        z.strictObject(mapEntries(field.columns, (column) => orAbsent(column, toProposed(column)))),
        field.count,
      )
  }
}

/** The schemas of all fields as they stand in a payload. */
export const proposedShape = <F extends EntryFields>(fields: F) =>
  // Bounds do not change the type of a value.
  mapEntries(fields, (field) => toProposed(field).optional()) as z.ZodRawShape as Shape<F>
