import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { ID_FORMS } from '#lib/contract/sources'
import { NO_FACTS, type SourceEntry } from '../entries.ts'
import { entryName, fact, facts, name, number, numeric, seenName, text, words } from '../facts.ts'
import { noSuchEntry } from '../one-by-one.ts'
import type { ReadOptions, SourceReader } from '../source-reader.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { EntryError, NO_PROGRESS, SourceError } from '../transport/errors.ts'
import { parseAnswer, readEntry } from '../transport/parse-answer.ts'
import type { ThrottleLimits } from '../transport/throttle.ts'
import { removeBbcode } from './remove-bbcode.ts'

const VN_FIELDS = [
  'title,alttitle,titles{title,latin},aliases,released,platforms,image{url,sexual,violence}',
  'length_minutes,description,rating,votecount,developers{name}',
].join(',')

/** An average from 0 to 2, which may be unknown; an image whose average cannot be read is left out. */
const average = numeric.nullish()

/** The fields of a visual novel as they come; unknown ones may be null or absent. */
const VisualNovel = z.object({
  id: z.string(),
  title: entryName,
  alttitle: name,
  titles: facts(z.object({ title: name, latin: name })),
  aliases: facts(seenName),
  released: text,
  platforms: facts(z.string()),
  image: fact(z.object({ url: text, sexual: average, violence: average })),
  length_minutes: number,
  description: words,
  rating: number,
  votecount: number,
  developers: facts(z.object({ name })),
})
type VisualNovel = z.infer<typeof VisualNovel>

/** Averages from 0 to 2; above this the site itself calls an image explicit. */
const EXPLICIT_ABOVE = 1.3

function toEntry(novel: VisualNovel, syncedAt: Date): SourceEntry<'vndb'> {
  const { image } = novel
  const isExplicit = Math.max(image?.sexual ?? 0, image?.violence ?? 0) > EXPLICIT_ABOVE
  const cover = image?.url || undefined
  const titles = novel.titles.flatMap(({ title, latin }) => [title, latin])
  const names = distinctNames([novel.alttitle, ...titles, ...novel.aliases], [novel.title])
  const summary = removeBbcode(novel.description ?? '') || undefined
  const released = readPartialDate(novel.released)
  const developers = distinctNames(novel.developers.map(({ name }) => name))
  const lengthMinutes = novel.length_minutes

  return {
    source: 'vndb',
    id: novel.id,
    part: {
      vnId: novel.id,
      ...withoutEmpty({ rating: novel.rating, votecount: novel.votecount, lengthMinutes }),
      syncedAt,
    },
    game: {
      ...NO_FACTS,
      name: novel.title,
      fields: withoutEmpty({
        alternative_names: names,
        summary,
        first_release: released?.seconds,
        companies: developers.map((name) => ({ name, developer: true as const })),
      }),
      platforms: novel.platforms,
      images: withoutEmpty({ cover: isExplicit ? undefined : cover }),
    },
    characters: [],
    subject: {
      name: novel.title,
      originalName: novel.alttitle?.trim() || null,
      alternativeNames: names,
      description: summary ?? null,
      released: released?.text ?? null,
      developers,
      lengthMinutes: lengthMinutes ?? null,
      cover: cover ?? null,
      isExplicitCover: isExplicit,
      url: `https://vndb.org/${novel.id}`,
    },
  }
}

/** Reads an entry as it is sent; undefined for any other form. */
export function readVndbEntry(sent: unknown): SourceEntry<'vndb'> | undefined {
  const { data } = VisualNovel.safeParse(sent)
  return data && toEntry(data, new Date())
}

const IDS_LIMIT = 100
/** 200 in 5 minutes are allowed; these are 180 of them, a few at once. */
const LIMITS: ThrottleLimits = { requests: 6, withinMs: 10_000, open: 1 }

const Answer = z.object({ results: z.array(z.unknown()), more: fact(z.boolean()) })
const Row = z.object({ id: z.string() })

interface VndbOptions extends TransportOptions {
  config: Pick<Config, 'vndb' | 'publicUrl'>
  clock?: () => Date
  limits?: ThrottleLimits
}

function filtersFor(ids: readonly string[]) {
  const [first, ...others] = ids.map((id) => ['id', '=', id])
  return others.length === 0 ? first : ['or', first, ...others]
}

const toNumber = (id: string | undefined) => Number(id?.slice(1) ?? 0)

export function createVndb({ config, clock = () => new Date(), limits = LIMITS, ...transport }: VndbOptions) {
  const { apiUrl, token } = config.vndb
  const client = createSourceClient({ ...transport, source: 'vndb', publicUrl: config.publicUrl, limits })
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Token ${token}` }),
  }

  async function request(query: object, options: ReadOptions) {
    const body = JSON.stringify({ ...query, fields: VN_FIELDS, results: IDS_LIMIT })
    return client.call(async (request) => {
      const { text } = await request({ method: 'POST', url: `${apiUrl}/vn`, headers, body })
      return parseAnswer('vndb', Answer, text)
    }, options)
  }

  async function readMany(wanted: readonly string[], options: ReadOptions = {}) {
    const found = new Map<string, SourceEntry<'vndb'> | SourceError>(wanted.map((id) => [id, noSuchEntry('vndb')]))
    const ids = [...found.keys()].filter((id) => ID_FORMS.vndb.test(id))
    if (ids.length > IDS_LIMIT) throw new RangeError(`at most ${IDS_LIMIT} ids at once`)
    if (ids.length === 0) return found

    const { results, more } = await request({ filters: filtersFor(ids) }, options)
    const rows = new Map(results.map((row) => [Row.safeParse(row).data?.id, row]))
    // A row without a readable id may belong to any id without a row.
    const isAnyLost = more === true || rows.has(undefined)
    for (const id of ids) {
      if (rows.has(id) || isAnyLost) found.set(id, readRow(rows.get(id), clock()))
    }
    return found
  }

  const reader: SourceReader<'vndb'> = {
    name: 'vndb',
    isOn: true,
    openForMs: client.openForMs,
    readMany,
    async read(id, options) {
      const result = (await readMany([id], options)).get(id) ?? noSuchEntry('vndb')
      if (result instanceof SourceError) throw result
      return result
    },
    async readPage(cursor, options) {
      const filters = cursor === null ? {} : { filters: ['id', '>', cursor] }
      const { results, more } = await request({ ...filters, sort: 'id' }, options)
      const entries = results.map((row) => readRow(row, clock()))
      if (more !== true) return { entries, cursor: null, isLast: true }
      const ids = results.map((row) => toNumber(Row.safeParse(row).data?.id))
      const last = Math.max(0, ...ids.filter(Number.isInteger))
      if (last <= toNumber(cursor ?? undefined)) throw new SourceError('vndb', 'malformed', NO_PROGRESS)
      return { entries, cursor: `v${last}`, isLast: false }
    },
  }
  return reader
}

function readRow(row: unknown, syncedAt: Date): SourceEntry<'vndb'> | EntryError {
  const novel = readEntry('vndb', VisualNovel, row)
  return novel instanceof EntryError ? novel : toEntry(novel, syncedAt)
}
