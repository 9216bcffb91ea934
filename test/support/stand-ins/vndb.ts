import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

/** A visual novel as the source has it; what is not given is what it says of one that nobody knows anything about. */
type Novel = { id: string; title: string } & Record<string, unknown>

type Fields = { [name: string]: true | Fields }
type Selection = { [name: string]: true | Selection }
type Row = Record<string, unknown>

const yes = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, true]))

const IMAGE = yes('id', 'url', 'dims', 'sexual', 'violence', 'votecount', 'thumbnail', 'thumbnail_dims')
const PRODUCER = yes('id', 'name', 'original', 'aliases', 'lang', 'type', 'description')
const FIELDS: Fields = {
  ...yes('id', 'title', 'alttitle', 'aliases', 'olang', 'devstatus', 'released', 'languages', 'platforms'),
  ...yes('length', 'length_minutes', 'length_votes', 'description', 'average', 'rating', 'votecount'),
  titles: yes('lang', 'title', 'latin', 'official', 'main'),
  image: IMAGE,
  screenshots: IMAGE,
  developers: PRODUCER,
  relations: yes('id', 'relation', 'relation_official', 'title'),
  tags: yes('id', 'name', 'category', 'rating', 'spoiler', 'lie'),
  extlinks: yes('url', 'label', 'name', 'id'),
}
const MEMBERS = new Set(
  'filters fields sort reverse results page user count compact_filters normalized_filters'.split(' '),
)

const UNKNOWN: Row = {
  alttitle: null,
  titles: [],
  aliases: [],
  olang: 'ja',
  devstatus: 0,
  released: null,
  languages: [],
  platforms: [],
  image: null,
  length: null,
  length_minutes: null,
  length_votes: 0,
  description: null,
  average: null,
  rating: null,
  votecount: 0,
  screenshots: [],
  developers: [],
  relations: [],
  tags: [],
  extlinks: [],
}

class Refusal extends Error {}

const TOKEN = /[a-z_]+|[.,{}]/g

/** Reads `a,b.c,d{e,f}`. */
function readFields(text: string): Selection {
  const tokens = text.replaceAll(/\s/g, '').match(TOKEN) ?? []
  let at = 0

  function readList(known: Fields, path: string): Selection {
    const selection: Selection = {}
    do {
      const name = tokens[at++] ?? ''
      const field = known[name]
      if (field === undefined) throw new Refusal(`Invalid 'fields' member: Unknown field '${path}${name}'.`)
      selection[name] = field === true || readDeeper(field, `${path}${name}.`, selection[name])
    } while (tokens[at] === ',' && ++at)
    return selection
  }

  function readDeeper(known: Fields, path: string, before: true | Selection | undefined): Selection {
    const next = tokens[at++]
    const earlier = typeof before === 'object' ? before : {}
    if (next === '.') {
      const name = tokens[at++] ?? ''
      if (known[name] !== true) throw new Refusal(`Invalid 'fields' member: Unknown field '${path}${name}'.`)
      return { ...earlier, [name]: true }
    }
    if (next !== '{') throw new Refusal(`Invalid 'fields' member: '${path.slice(0, -1)}' needs sub-fields.`)
    const deeper = readList(known, path)
    if (tokens[at++] !== '}') throw new Refusal("Invalid 'fields' member: Missing '}'.")
    return { ...earlier, ...deeper }
  }

  const selection = tokens.length === 0 ? {} : readList(FIELDS, '')
  if (at < tokens.length) throw new Refusal(`Invalid 'fields' member: Unexpected '${tokens[at]}'.`)
  return selection
}

function select(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((each) => select(each, selection))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const deeper = name === 'id' || selection[name]
      return deeper === undefined ? [] : [[name, deeper === true ? field : select(field, deeper)]]
    }),
  )
}

/** Which novels a filter by id lets through; the other filters of the source are not served. */
function readFilter(filter: unknown, count: { predicates: number }): (novel: Novel) => boolean {
  if (!Array.isArray(filter)) throw new Refusal("Invalid 'filters' member: Expected an array.")
  const [name, ...rest] = filter
  if (name === 'and' || name === 'or') {
    const filters = rest.map((each) => readFilter(each, count))
    if (filters.length === 0) throw new Refusal("Invalid 'filters' member: Empty list.")
    return (novel) => (name === 'or' ? filters.some((is) => is(novel)) : filters.every((is) => is(novel)))
  }

  const [operator, value] = rest
  count.predicates += 1
  if (count.predicates > 1000) throw new Refusal("Invalid 'filters' member: Too many predicates.")
  if (name !== 'id' || operator !== '=' || rest.length !== 2)
    throw new Refusal(`Invalid 'filters' member: Unknown filter '${name}'.`)
  if (typeof value !== 'string' || !/^v[1-9]\d{0,6}$/.test(value))
    throw new Refusal("Invalid 'filters' member: Invalid value for 'id'.")
  return ({ id }) => id === value
}

function readJson(body: string): Row {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Refused below.
  }
  throw new Refusal('Invalid JSON body.')
}

function readNumber(given: unknown, name: string, { min, max, fallback }: Record<'min' | 'max' | 'fallback', number>) {
  const value = given ?? fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new Refusal(`Invalid '${name}' member.`)
  return value
}

function search(novels: readonly Novel[], body: string): StandInAnswer {
  const query = readJson(body)
  const stranger = Object.keys(query).find((name) => !MEMBERS.has(name))
  if (stranger !== undefined) throw new Refusal(`Unknown member '${stranger}'.`)

  const isWanted = query.filters === undefined ? () => true : readFilter(query.filters, { predicates: 0 })
  const selection = readFields(String(query.fields ?? ''))
  const size = readNumber(query.results, 'results', { min: 0, max: 100, fallback: 10 })
  const page = readNumber(query.page, 'page', { min: 1, max: 1e9, fallback: 1 })

  const found = novels.filter(isWanted).sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
  const results = found.slice((page - 1) * size, page * size)
  return {
    body: {
      results: results.map((novel) => select({ ...UNKNOWN, ...novel }, selection)),
      more: found.length > page * size,
    },
  }
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
    try {
      return search([...novels.values()], body)
    } catch (error) {
      if (error instanceof Refusal) return { status: 400, body: error.message }
      throw error
    }
  }

  const server = await startStandInServer(answer)
  return {
    ...server,
    /** Settings that lead a service here. */
    env: { VNDB_API_URL: `${server.url}/kana`, ...(token !== undefined && { VNDB_TOKEN: token }) },
    /** Adds novels, or puts them in the place of those of the same ids. */
    put(...given: Novel[]) {
      for (const novel of given) novels.set(novel.id, novel)
    },
  }
}
