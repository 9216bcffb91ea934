import { toDay } from '../to-day.ts'
import { type FieldGroup, isAdded, listColumns, type ProposalField, type RowColumn } from './fields.ts'

interface NamedGame {
  _id: string
  name: string
}

export interface DraftRow {
  /** Tells rows apart while some are removed. */
  id: number
  values: Readonly<Record<string, string | boolean>>
}

/** A proposal while it is typed: text as it stands in its control, entries by id and name. */
export interface Draft {
  texts: Readonly<Record<string, string>>
  rows: Readonly<Record<string, readonly DraftRow[]>>
  platforms: readonly string[]
  games: Readonly<Record<string, readonly NamedGame[]>>
  relations: readonly { relation: string; game: NamedGame }[]
}

export const EMPTY_DRAFT: Draft = { texts: {}, rows: {}, platforms: [], games: {}, relations: [] }

export type Payload = Record<string, unknown>

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** A text that is no number is sent as it was typed, for the service to refuse it. */
const toNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text.trim())

/** A date is the beginning of its day, in Unix seconds. */
const toSeconds = (day: string) => {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(ms) ? day : ms / 1000
}

function toCell({ kind }: RowColumn, value: string | boolean | undefined): unknown {
  if (value === undefined || value === '' || value === false) return undefined
  if (typeof value === 'boolean') return value
  if (kind === 'date') return toSeconds(value)
  return kind === 'number' || kind === 'region' ? toNumber(value) : value.trim()
}

function toRow(columns: readonly RowColumn[], { values }: DraftRow): Payload {
  const cells = columns.map((column) => [column.key, toCell(column, values[column.key])] as const)
  return Object.fromEntries(cells.filter(([, cell]) => cell !== undefined))
}

function toRelations({ relations }: Draft): Record<string, string[]> {
  const ids: Record<string, string[]> = {}
  for (const { relation, game } of relations) ids[relation] = [...(ids[relation] ?? []), game._id]
  return ids
}

function toValue(field: ProposalField, draft: Draft): unknown {
  const text = (draft.texts[field.key] ?? '').trim()
  switch (field.kind) {
    case 'lines':
    case 'links':
    case 'images':
      return toLines(text)
    case 'number':
      return text === '' ? undefined : toNumber(text)
    case 'date':
      return text === '' ? undefined : toSeconds(text)
    case 'rows':
      return (draft.rows[field.key] ?? []).map((row) => toRow(listColumns(field), row))
    case 'platforms':
      return [...draft.platforms]
    case 'game':
      return draft.games[field.key]?.[0]?._id
    case 'games':
      return (draft.games[field.key] ?? []).map(({ _id }) => _id)
    case 'relations':
      return toRelations(draft)
    default:
      return text === '' ? undefined : text
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The payload of a draft; a correction proposes only values that differ from today's. */
export function toPayload(groups: readonly FieldGroup[], draft: Draft, today: Draft = EMPTY_DRAFT): Payload {
  const entries = groups
    .flatMap(({ fields }) => fields)
    .map((field) => [field.key, toValue(field, draft), toValue(field, today)] as const)
    .filter(([, value, before]) => !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(before))
    .map(([key, value]) => [key, value] as const)
  return Object.fromEntries(entries)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const toText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('\n') : value === undefined || value === null ? '' : String(value)

function toDraftCell({ kind }: RowColumn, value: unknown): string | boolean {
  if (kind === 'flag') return value === true
  return kind === 'date' && typeof value === 'number' ? toDay(value) : toText(value)
}

let lastRowId = 0

/** A row of a list; without values an empty one. */
export function createRow(columns: readonly RowColumn[] = [], values: Payload = {}): DraftRow {
  lastRowId += 1
  return {
    id: lastRowId,
    values: Object.fromEntries(columns.map((column) => [column.key, toDraftCell(column, values[column.key])])),
  }
}

/** The ids of games in values, which a form shows by name. */
export function listGroupGameIds(groups: readonly FieldGroup[], values: Payload): string[] {
  const fields = groups.flatMap(({ fields }) => fields)
  return fields.flatMap(({ key, kind }) => {
    const value = values[key]
    if (kind === 'game') return typeof value === 'string' ? [value] : []
    if (kind === 'games') return Array.isArray(value) ? value.map(String) : []
    return kind === 'relations' && isObject(value) ? Object.values(value).flat().map(String) : []
  })
}

interface ToDraft {
  values: Payload
  nameEntry(gameId: string): string
  /** Leaves out what an approval adds to: today's values are no proposal. */
  isCorrection: boolean
}

/** Makes a draft of values: those of an entry, or of an earlier proposal. */
export function toDraft(groups: readonly FieldGroup[], { values, nameEntry, isCorrection }: ToDraft): Draft {
  const texts: Record<string, string> = {}
  const rows: Record<string, readonly DraftRow[]> = {}
  const games: Record<string, readonly NamedGame[]> = {}
  const toGame = (id: unknown): NamedGame => ({ _id: String(id), name: nameEntry(String(id)) })
  let platforms: readonly string[] = []
  let relations: Draft['relations'] = []

  for (const field of groups.flatMap(({ fields }) => fields)) {
    const value = values[field.key]
    if (isEmpty(value) || (isCorrection && isAdded(field))) continue
    if (field.kind === 'rows') {
      rows[field.key] = (Array.isArray(value) ? value.filter(isObject) : []).map((row) =>
        createRow(listColumns(field), row),
      )
    } else if (field.kind === 'platforms') platforms = Array.isArray(value) ? value.map(String) : []
    else if (field.kind === 'game') games[field.key] = [toGame(value)]
    else if (field.kind === 'games') games[field.key] = Array.isArray(value) ? value.map(toGame) : []
    else if (field.kind === 'relations') {
      relations = Object.entries(isObject(value) ? value : {}).flatMap(([relation, ids]) =>
        Array.isArray(ids) ? ids.map((id) => ({ relation, game: toGame(id) })) : [],
      )
    } else if (field.kind === 'date') texts[field.key] = typeof value === 'number' ? toDay(value) : ''
    else texts[field.key] = toText(value)
  }
  return { texts, rows, platforms, games, relations }
}
