import type { Row } from './igdb.ts'

export interface QueryRefusal {
  status: 400 | 403
  title: string
}

/** Names of before the tables, with all that is below them. */
const OLD_FIELDS: Record<string, readonly string[]> = {
  games: [
    'category',
    'status',
    'collection',
    'release_dates.category',
    'release_dates.region',
    'age_ratings.category',
    'age_ratings.rating',
    'age_ratings.content_descriptions',
    'external_games.category',
    'external_games.media',
    'websites.category',
    'platforms.category',
  ],
  characters: ['gender', 'species'],
}

const CLAUSE = /^(fields|where|sort|limit|offset)\s+(.+)$/s
const WHERE = /^(\w+)\s*=\s*(?:\(([\d,\s]+)\)|(\d+))$/
const FIELD = /^(\*|\w+(\.(\w+|\*))*)$/

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A reference that is not expanded is its id. */
const asId = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(asId) : isObject(value) && 'id' in value ? value.id : value

const projectAll = (value: unknown, fields: readonly string[]): unknown =>
  Array.isArray(value)
    ? value.map((each) => projectAll(each, fields))
    : isObject(value)
      ? project(value, fields)
      : value

/** The row with the fields that were asked for; those without a value are left out, as is what is below a number. */
function project(row: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  const heads = new Map<string, string[]>()
  for (const field of fields) {
    const [head = '', ...rest] = field.split('.')
    for (const key of head === '*' ? Object.keys(row) : [head])
      heads.set(key, [...(heads.get(key) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  const entries = [...heads].map(([key, below]) => [
    key,
    below.length > 0 ? projectAll(row[key], below) : asId(row[key]),
  ])
  return Object.fromEntries([['id', row.id], ...entries].filter(([, value]) => !isEmpty(value)))
}

/** Numbers that one of the row's ids has to be among. */
function matches(row: Row, key: string, ids: ReadonlySet<number>): boolean {
  const value = asId(row[key])
  return [value].flat().some((each) => typeof each === 'number' && ids.has(each))
}

/** Answers a query over the rows, or why it is refused. */
export function runQuery(endpoint: string, rows: readonly Row[], query: string): object[] | QueryRefusal {
  const parts = query.split(';').map((part) => part.trim())
  // The rest after the last semicolon.
  if (parts.pop() !== '') return { status: 400, title: 'Syntax Error' }
  const clauses = new Map<string, string>()
  for (const part of parts) {
    const [, name, value] = CLAUSE.exec(part) ?? []
    if (name === undefined || value === undefined) return { status: 400, title: 'Syntax Error' }
    clauses.set(name, value)
  }

  const fields = (clauses.get('fields') ?? 'id').split(',').map((field) => field.trim())
  const where = clauses.has('where') ? WHERE.exec(clauses.get('where') ?? '') : undefined
  if (where === null || !fields.every((field) => FIELD.test(field))) return { status: 400, title: 'Syntax Error' }
  const [, key, list, single] = where ?? []
  const old = OLD_FIELDS[endpoint] ?? []
  const named = key === undefined ? fields : [...fields, key]
  if (named.some((field) => old.some((each) => field === each || field.startsWith(`${each}.`))))
    return { status: 400, title: 'Invalid Field' }

  const limit = Number(clauses.get('limit') ?? 10)
  const offset = Number(clauses.get('offset') ?? 0)
  if (limit > 500) return { status: 403, title: 'Limit too high' }

  const ids = new Set((list ?? single ?? '').split(',').map(Number))
  const found = key === undefined ? rows : rows.filter((row) => matches(row, key, ids))
  const sorted = clauses.has('sort') ? found.toSorted((a, b) => a.id - b.id) : found
  return sorted.slice(offset, offset + limit).map((row) => project(row, fields))
}
