import { z } from 'zod'
import { Id } from '../ids.ts'
import { Link, longText, nameText } from '../texts/text.ts'
import {
  type Column,
  type Columns,
  type EntryField,
  type EntryFields,
  type GameRelation,
  RELATIONS,
} from './entry-fields.ts'

/** 1900 to 9999. Milliseconds sent by mistake exceed it, for any date after January 1978. */
const unixSeconds = z.int().min(-2_208_988_800).max(253_402_300_799)

/** Accepts a list of at most `count` sent members, and removes repeats. */
const distinctList = <S extends z.ZodType>(
  member: S,
  count: number,
  toKey: (member: z.output<S>) => string = (member) => JSON.stringify(member),
) =>
  z
    .array(member)
    .max(count)
    .overwrite((list) => {
      const keys = list.map(toKey)
      return list.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
    })

/** Keeps the first of names that differ only in case and in the form of their accents. */
const nameTexts = (count: number, max: number) =>
  distinctList(nameText(max), count, (member) => member.normalize('NFC').toLowerCase())
const idList = (count: number) => distinctList(Id, count)
export const linkList = (count: number) => distinctList(Link, count)

const mapValues = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Lists of games by relation. */
export const relationsShape = (ids: z.ZodArray<typeof Id>) =>
  // `fromEntries` loses the names of the relations.
  mapValues(RELATIONS, () => ids.optional()) as Record<GameRelation, z.ZodOptional<typeof ids>>

/** The schemas of answered values, without bounds, because sources write longer values. */
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

type Fields = EntryFields | Columns

type SchemaOf<F> = F extends { columns: infer C extends Columns }
  ? z.ZodArray<z.ZodObject<Shape<C>, z.core.$strip>>
  : F extends { kind: keyof typeof ANSWERED }
    ? (typeof ANSWERED)[F['kind']]
    : never
type Shape<F extends Fields> = {
  [K in keyof F]: F[K] extends { isRequired: true } ? SchemaOf<F[K]> : z.ZodOptional<SchemaOf<F[K]>>
}

export type FieldValue<F> = z.infer<SchemaOf<F>>

const isRequired = (field: EntryField | Column) => 'isRequired' in field

/** Makes the schema of each field or column, optional unless it is required. */
const toShape = <F extends Fields>(fields: F, toSchema: (field: EntryField | Column) => z.ZodType) =>
  // `fromEntries` loses the type of each field. Bounds do not change the type of a value.
  mapValues<EntryField | Column, z.ZodType>(fields, (field) =>
    isRequired(field) ? toSchema(field) : toSchema(field).optional(),
  ) as z.ZodRawShape as Shape<F>

const toAnswered = (field: EntryField | Column): z.ZodType =>
  field.kind === 'rows' ? z.array(answeredRow(field.columns)) : ANSWERED[field.kind]

/** The schemas of all fields in an answer. */
export const answeredShape = <F extends Fields>(fields: F) => toShape(fields, toAnswered)

export const answeredRow = <C extends Columns>(columns: C) => z.object(answeredShape(columns))

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
      return distinctList(z.strictObject(proposedShape(field.columns)), field.count)
  }
}

/** The schemas of all fields in a payload. */
export const proposedShape = <F extends Fields>(fields: F) => toShape(fields, toProposed)
