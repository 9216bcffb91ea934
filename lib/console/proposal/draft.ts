import { toDay } from '../format.ts'
import { isAdded, listColumns, type ProposalField, type RowColumn } from './fields.ts'
import { isObject, toList, toRelated, type Values } from './values.ts'

export interface DraftRow {
  /** Tells rows apart while some are removed. */
  id: number
  values: Readonly<Record<string, string | boolean>>
}

/** A proposal while it is typed, by field. */
export interface Draft {
  /** As they stand in their controls. */
  texts: Readonly<Record<string, string>>
  rows: Readonly<Record<string, readonly DraftRow[]>>
  /** Ids of platforms and games; behind its relation, `sequels <id>`, for a related game. */
  ids: Readonly<Record<string, readonly string[]>>
}

export const EMPTY_DRAFT: Draft = { texts: {}, rows: {}, ids: {} }

export const toLines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

/** A text that is no number is sent as it was typed, for the service to refuse it. */
const toNumber = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : text)

/** A date is the beginning of its day, in Unix seconds. */
const toSeconds = (day: string) => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) ? day : ms / 1000
}

function toScalar(kind: RowColumn['kind'] | ProposalField['kind'], typed: string | boolean | undefined): unknown {
  const value = typeof typed === 'string' ? typed.trim() : typed
  if (value === undefined || value === '' || value === false) return undefined
  if (typeof value === 'boolean') return value
  if (kind === 'date') return toSeconds(value)
  return kind === 'number' || kind === 'region' ? toNumber(value) : value
}

function toRow(columns: readonly RowColumn[], { values }: DraftRow): Values {
  const cells = columns.map(({ key, kind }) => [key, toScalar(kind, values[key])] as const)
  return Object.fromEntries(cells.filter(([, cell]) => cell !== undefined))
}

function toRelations(ids: readonly string[]): Record<string, string[]> {
  const relations: Record<string, string[]> = {}
  for (const each of ids) {
    const [relation = '', id = ''] = each.split(' ')
    relations[relation] = [...(relations[relation] ?? []), id]
  }
  return relations
}

function toValue(field: ProposalField, { texts, rows, ids }: Draft): unknown {
  const { key, kind } = field
  switch (kind) {
    case 'lines':
    case 'links':
    case 'images':
      return toLines(texts[key] ?? '')
    case 'rows':
      return (rows[key] ?? []).map((row) => toRow(listColumns(field), row))
    case 'game':
      return ids[key]?.[0]
    case 'platforms':
    case 'games':
      return ids[key]
    case 'relations':
      return toRelations(ids[key] ?? [])
    default:
      return toScalar(kind, texts[key])
  }
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The payload of a draft; a correction proposes only values that differ from today's. */
export function toPayload(fields: readonly ProposalField[], draft: Draft, today: Draft = EMPTY_DRAFT): Values {
  const entries = fields
    .map((field) => [field.key, toValue(field, draft), toValue(field, today)] as const)
    .filter(([, value, before]) => !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(before))
    .map(([key, value]) => [key, value] as const)
  return Object.fromEntries(entries)
}

const toText = (kind: RowColumn['kind'] | ProposalField['kind'], value: unknown): string =>
  kind === 'date' && typeof value === 'number' ? toDay(value) : toList(value).map(String).join('\n')

let lastRowId = 0

/** A row of a list; without values an empty one. */
export function createRow(columns: readonly RowColumn[], values: Values = {}): DraftRow {
  lastRowId += 1
  const cells = columns.map(({ key, kind }) => [
    key,
    kind === 'flag' ? values[key] === true : toText(kind, values[key]),
  ])
  return { id: lastRowId, values: Object.fromEntries(cells) }
}

/** Makes a draft of values: those of an entry, or of an earlier proposal. */
export function toDraft(fields: readonly ProposalField[], values: Values): Draft {
  const texts: Record<string, string> = {}
  const rows: Record<string, readonly DraftRow[]> = {}
  const ids: Record<string, readonly string[]> = {}

  for (const field of fields) {
    const { key, kind } = field
    const value = values[key]
    if (isEmpty(value)) continue
    if (kind === 'rows') rows[key] = toList(value).map((row) => createRow(listColumns(field), isObject(row) ? row : {}))
    else if (kind === 'platforms' || kind === 'game' || kind === 'games') ids[key] = toList(value).map(String)
    else if (kind === 'relations') ids[key] = toRelated(value).map(({ relation, id }) => `${relation} ${id}`)
    else texts[key] = toText(kind, value)
  }
  return { texts, rows, ids }
}

/** Today's values as a correction starts from them; those that an approval only adds to are no proposal. */
export const toToday = (fields: readonly ProposalField[], values: Values): Draft =>
  toDraft(
    fields.filter((field) => !isAdded(field)),
    values,
  )

/** Lays what was typed over what a form starts from. */
export const layOver = (start: Draft, typed: Draft): Draft => ({
  texts: { ...start.texts, ...typed.texts },
  rows: { ...start.rows, ...typed.rows },
  ids: { ...start.ids, ...typed.ids },
})
