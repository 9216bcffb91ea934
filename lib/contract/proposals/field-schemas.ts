import { z } from 'zod'
import { Id } from '../ids.ts'
import {
  type CellValue,
  type Column,
  type Columns,
  type EntryField,
  type EntryFields,
  type FieldValue,
  type GameRelation,
  RELATIONS,
} from './entry-fields.ts'
import { idList, Link, linkList, listOf, longText, nameText, nameTexts } from './payload.ts'

type Schema<T> = z.ZodType<T, T>

/** 1900 to 9999. Milliseconds sent by mistake exceed it, for any date after January 1978. */
const unixSeconds = z.int().min(-2_208_988_800).max(253_402_300_799)

const mapEntries = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const orAbsent = ({ isRequired }: Column, schema: z.ZodType) => (isRequired ? schema : schema.optional())

/** Lists of games by relation. */
export const relationsShape = (ids: Schema<string[]>) =>
  // Every relation is there, which `fromEntries` does not tell.
  mapEntries(RELATIONS, () => ids.optional()) as Record<GameRelation, z.ZodOptional<Schema<string[]>>>

function toProposedCell(column: Column): z.ZodType {
  switch (column.kind) {
    case 'text':
      return nameText(column.max)
    case 'long':
      return longText(column.max)
    case 'number':
      return z
        .int()
        .min(column.min)
        .max(column.max ?? Number.MAX_SAFE_INTEGER)
    case 'link':
      return Link
    case 'date':
      return unixSeconds
    case 'flag':
      return z.boolean()
    case 'region':
      return z.int().min(1).max(20)
    case 'platform':
      return Id
  }
}

function toProposed(field: EntryField): z.ZodType {
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
      return Link
    case 'date':
      return unixSeconds
    case 'number':
      return z.int().min(1)
    case 'platforms':
    case 'games':
      return idList(field.count)
    case 'game':
      return Id
    case 'relations':
      return z.strictObject(relationsShape(idList(field.count)))
    case 'rows':
      return listOf(
        z.strictObject(mapEntries(field.columns, (column) => orAbsent(column, toProposedCell(column)))),
        field.count,
      )
  }
}

function toAnsweredCell({ kind }: Column): z.ZodType {
  if (kind === 'flag') return z.boolean()
  if (kind === 'platform') return Id
  return kind === 'text' || kind === 'long' || kind === 'link' ? z.string() : z.number()
}

function toAnswered(field: EntryField): z.ZodType {
  switch (field.kind) {
    case 'text':
    case 'long':
    case 'image':
      return z.string()
    case 'date':
    case 'number':
      return z.number()
    case 'lines':
    case 'links':
    case 'images':
      return z.array(z.string())
    case 'game':
      return Id
    case 'platforms':
    case 'games':
      return z.array(Id)
    case 'relations':
      return z.object(relationsShape(z.array(Id)))
    case 'rows':
      return z.array(answeredRow(field.columns))
  }
}

/** The schema of a row as it is answered, its texts and numbers without bounds. */
export const answeredRow = <C extends Columns>(columns: C) =>
  // Each schema is made for the kind of its column, which `fromEntries` does not tell.
  z.object(mapEntries(columns, (column) => orAbsent(column, toAnsweredCell(column))) as RowShape<C>)

type RowShape<C extends Columns> = {
  [K in keyof C]: C[K] extends { isRequired: true } ? Schema<CellValue<C[K]>> : z.ZodOptional<Schema<CellValue<C[K]>>>
}
type Shape<F extends EntryFields, K extends keyof F> = { [N in K]: z.ZodOptional<Schema<FieldValue<F[N]>>> }

/** The schemas of all fields as they stand in a payload. */
export const proposedShape = <F extends EntryFields>(fields: F) =>
  // Each schema is made for the kind of its field, which `fromEntries` does not tell.
  mapEntries(fields, (field) => toProposed(field).optional()) as Shape<F, keyof F>

/** The schemas of all fields as they are answered, without bounds: sources write longer ones. */
export const answeredShape = <F extends EntryFields>(fields: F) =>
  // `fromEntries` loses the type of each field.
  mapEntries(fields, (field) => toAnswered(field).optional()) as Shape<F, keyof F>
