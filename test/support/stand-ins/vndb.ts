import { z } from 'zod'
import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

/** A visual novel in the form of the source. Absent fields are those of an entry without facts. */
type Novel = { id: string; title: string } & Record<string, unknown>

const words = (text: string) => text.split(' ')

const IMAGE = words('id url dims sexual violence votecount thumbnail thumbnail_dims')
/** The fields below those that are objects or lists of objects. */
const BELOW: Record<string, readonly string[]> = {
  titles: words('lang title latin official main'),
  image: IMAGE,
  screenshots: IMAGE,
  developers: words('id name original aliases lang type description'),
  relations: words('id relation relation_official title'),
  tags: words('id name category rating spoiler lie'),
  extlinks: words('url label name id'),
}
const UNKNOWN: Record<string, unknown> = {
  alttitle: null,
  olang: 'ja',
  devstatus: 0,
  released: null,
  image: null,
  length: null,
  length_minutes: null,
  length_votes: 0,
  description: null,
  average: null,
  rating: null,
  votecount: 0,
  ...Object.fromEntries(
    words('titles aliases languages platforms screenshots developers relations tags extlinks').map((name) => [
      name,
      [],
    ]),
  ),
}

const Predicate = z.tuple([z.literal('id'), z.literal('='), z.string().regex(/^v[1-9]\d{0,6}$/)])
const Behind = z.tuple([z.literal('id'), z.literal('>'), z.string().regex(/^v[1-9]\d{0,6}$/)])
/** The queries that are served. The source, too, refuses members that it does not have. */
const Query = z.strictObject({
  filters: z
    .union([Predicate, Behind, z.tuple([z.literal('or')], Predicate).refine(({ length }) => length <= 1_000)])
    .optional(),
  sort: z.literal('id').optional(),
  fields: z.string(),
  results: z.int().min(0).max(100).default(10),
})

/** Reads `a,b,c{d,e}`; undefined for fields that the source does not have. */
function readFields(text: string): [name: string, below: string[]][] | undefined {
  const parts = [...text.matchAll(/(\w+)(?:\{([\w,]+)\})?(?:,|$)/g)]
  const fields = parts.map(([, name = '', below]): [string, string[]] => [name, below?.split(',') ?? []])
  const isKnown = fields.every(([name, below]) => {
    const allowed = BELOW[name] ?? []
    const isField = ['id', 'title'].includes(name) || name in UNKNOWN
    return isField && below.length > 0 === allowed.length > 0 && below.every((field) => allowed.includes(field))
  })
  return isKnown && parts.map(([part]) => part).join('') === text ? fields : undefined
}

function select(value: unknown, below: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => select(each, below))
  if (below.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => name === 'id' || below.includes(name)))
}

const numberOf = (id: string) => Number(id.slice(1))

function search(novels: readonly Novel[], body: unknown): StandInAnswer {
  const query = Query.safeParse(body)
  if (!query.success) return { status: 400, body: z.prettifyError(query.error) }
  const fields = readFields(query.data.fields)
  if (fields === undefined) return { status: 400, body: "Invalid 'fields' member." }

  const { filters } = query.data
  const ids = new Set(filters?.flat())
  const [, operator, bound = ''] = filters ?? []
  const isMeant = ({ id }: Novel) =>
    filters === undefined || (operator === '>' ? numberOf(id) > numberOf(String(bound)) : ids.has(id))
  const found = novels.filter(isMeant).sort((a, b) => numberOf(a.id) - numberOf(b.id))
  const rows: Record<string, unknown>[] = found.slice(0, query.data.results).map((novel) => ({ ...UNKNOWN, ...novel }))
  const results = rows.map(({ id, ...row }) => ({
    id,
    ...Object.fromEntries(fields.map(([name, below]) => [name, select(row[name], below)])),
  }))
  return { body: { results, more: found.length > results.length } }
}

export type VndbStandIn = Awaited<ReturnType<typeof startVndbStandIn>>

/** Serves `POST /kana/vn` as VNDB does, with one token that it knows. */
export async function startVndbStandIn({ token }: { token?: string } = {}) {
  const novels = new Map<string, Novel>()

  function answer({ method, path, headers, body }: StandInRequest): StandInAnswer {
    if (path !== '/kana/vn' || method !== 'POST') return { status: 404, body: '<html><h1>404 Not Found</h1></html>' }
    if (headers.authorization !== undefined && headers.authorization !== `Token ${token}`)
      return { status: 401, headers: { 'www-authenticate': 'Token' }, body: 'Invalid token' }
    if (!headers['content-type']?.startsWith('application/json')) return { status: 400, body: 'Invalid content type.' }
    return search([...novels.values()], JSON.parse(body))
  }

  const server = await startStandInServer(answer)
  return {
    ...server,
    env: { VNDB_API_URL: `${server.url}/kana`, ...(token !== undefined && { VNDB_TOKEN: token }) },
    /** Adds novels, or replaces those of the same ids. */
    put(...added: Novel[]) {
      for (const novel of added) novels.set(novel.id, novel)
    },
  }
}
