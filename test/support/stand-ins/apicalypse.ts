import type { Row } from './igdb.ts'

export interface QueryRefusal {
  status: 400 | 403
  title: string
}

/** Fields from before IGDB's tables, with all fields below them. */
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
/** A condition of a walk, which joins one or more of them by `&`. */
const CONDITION = /^(\w+)\s*(=|>|>=)\s*(\d+)$/
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

/** Picks fields of a row. Fields without a value are left out, and so are fields below a number. */
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

/** True when a field has one of these ids. */
function matches(row: Row, key: string, ids: ReadonlySet<number>): boolean {
  const value = asId(row[key])
  return [value].flat().some((each) => typeof each === 'number' && ids.has(each))
}

const HOLDS: Record<string, (value: number, bound: number) => boolean> = {
  '=': (value, bound) => value === bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
}

/** Finds the rows of a walk; undefined for another query. */
function findInOrder(rows: readonly Row[], where: string): Row[] | undefined {
  const conditions = where.split('&').map((part) => CONDITION.exec(part.trim()))
  if (conditions.length < 2 && conditions[0]?.[2] === '=') return undefined
  if (conditions.includes(null)) return undefined
  return rows.filter((row) =>
    conditions.every((each) => {
      const [, key = '', operator = '', bound] = each ?? []
      return HOLDS[operator]?.(Number(row[key] ?? Number.NaN), Number(bound))
    }),
  )
}

/** Answers a query over the rows, or why it is refused. */
export function runQuery(endpoint: string, rows: readonly Row[], query: string): object[] | QueryRefusal {
  const parts = query.split(';').map((part) => part.trim())
  // Nothing follows the last semicolon.
  if (parts.pop() !== '') return { status: 400, title: 'Syntax Error' }
  const clauses = new Map<string, string>()
  for (const part of parts) {
    const [, name, value] = CLAUSE.exec(part) ?? []
    if (name === undefined || value === undefined) return { status: 400, title: 'Syntax Error' }
    clauses.set(name, value)
  }

  const fields = (clauses.get('fields') ?? 'id').split(',').map((field) => field.trim())
  const inOrder = findInOrder(rows, clauses.get('where') ?? '')
  const where = clauses.has('where') && !inOrder ? WHERE.exec(clauses.get('where') ?? '') : undefined
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
  const found = inOrder ?? (key === undefined ? rows : rows.filter((row) => matches(row, key, ids)))
  const [, by] = /^(\w+) asc$/.exec(clauses.get('sort') ?? '') ?? []
  const sorted = by === undefined ? found : found.toSorted((a, b) => Number(a[by]) - Number(b[by]))
  return sorted.slice(offset, offset + limit).map((row) => project(row, fields))
}
