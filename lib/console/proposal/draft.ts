import { toDay } from '../format.ts'
import { isObject, listColumns, type ProposalField, type RowColumn, toList, toRelated, type Values } from './fields.ts'

/** Typed values by field. The id of a related game stands behind its relation: `sequels <id>`. */
export type Draft = Values

type Kind = RowColumn['kind'] | ProposalField['kind']

export const toLines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

/** A text that is no number is sent as typed, so that the service refuses it. */
const toNumber = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text)

/** A date is the beginning of its day, in Unix seconds. */
const toSeconds = (day: string) => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) ? day : ms / 1000
}

function toScalar(kind: Kind, typed: unknown): unknown {
  const value = typeof typed === 'string' ? typed.trim() : typed
  if (value === '' || value === false) return undefined
  if (typeof value !== 'string') return value
  if (kind === 'date') return toSeconds(value)
  return kind === 'number' || kind === 'region' ? toNumber(value) : value
}

function toRelations(ids: readonly string[]): Record<string, string[]> {
  const relations: Record<string, string[]> = {}
  for (const entry of ids) {
    const [relation = '', id = ''] = entry.split(' ')
    relations[relation] = [...(relations[relation] ?? []), id]
  }
  return relations
}

function convertRow(field: ProposalField, row: unknown, convert: (kind: Kind, cell: unknown) => unknown): Values {
  const columns = field.kind === 'rows' ? listColumns(field) : []
  const cells = columns.map(({ key, kind }) => [key, convert(kind, isObject(row) ? row[key] : undefined)] as const)
  return Object.fromEntries(cells.filter(([, cell]) => cell !== undefined))
}

function toValue(field: ProposalField, typed: unknown): unknown {
  const { kind } = field
  switch (kind) {
    case 'lines':
    case 'links':
    case 'images':
      return toLines(toText(kind, typed))
    case 'rows':
      return toList(typed).map((row) => convertRow(field, row, toScalar))
    case 'game':
      return toList(typed)[0]
    case 'platforms':
    case 'games':
      return typed
    case 'relations':
      return toRelations(toList(typed).map(String))
    default:
      return toScalar(kind, typed)
  }
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Converts a draft to a payload. A correction proposes only values that differ from the current ones. */
export function toPayload(fields: readonly ProposalField[], draft: Draft, current: Draft): Values {
  const entries = fields
    .map((field) => [field.key, toValue(field, draft[field.key]), toValue(field, current[field.key])] as const)
    .filter(([, value, before]) => !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(before))
    .map(([key, value]) => [key, value] as const)
  return Object.fromEntries(entries)
}

const toText = (kind: Kind, value: unknown): string =>
  kind === 'date' && typeof value === 'number' ? toDay(value) : toList(value).map(String).join('\n')

const toCell = (kind: Kind, value: unknown) => (kind === 'flag' ? value === true : toText(kind, value))

function toTyped(field: ProposalField, value: unknown): unknown {
  switch (field.kind) {
    case 'rows':
      return toList(value).map((row) => convertRow(field, row, toCell))
    case 'platforms':
    case 'game':
    case 'games':
      return toList(value).map(String)
    case 'relations':
      return toRelated(value).map(({ relation, id }) => `${relation} ${id}`)
    default:
      return toText(field.kind, value)
  }
}

export const toDraft = (fields: readonly ProposalField[], values: Values): Draft =>
  Object.fromEntries(
    fields
      .filter(({ key }) => !isEmpty(values[key]))
      .map((field) => [field.key, toTyped(field, values[field.key])] as const),
  )
