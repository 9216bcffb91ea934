import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { distinctNames } from '#lib/base/values/distinct-names'
import { readPartialDate } from '#lib/base/values/partial-date'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { SOURCE_POLICIES } from '#lib/contract/sources'
import { NO_FACTS, type SourceEntry, type SourceGame, toSubject } from '../entries.ts'
import { entryName, fact, facts, name, number, numeric, text, visibleName, words } from '../facts.ts'
import { createReader, type ReadOptions, readRows, type SourceReader } from '../source-reader.ts'
import { createSourceClient, type TransportOptions } from '../transport/client.ts'
import { type EntryError, NO_PROGRESS, SourceError } from '../transport/errors.ts'
import { parseAnswer, readEntry } from '../transport/parse-answer.ts'
import { removeBbcode } from './remove-bbcode.ts'

const VN_FIELDS = [
  'title,alttitle,titles{title,latin},aliases,released,platforms,image{url,sexual,violence}',
  'length_minutes,description,rating,votecount,developers{name}',
].join(',')

/** An average from 0 to 2, which may be unknown. An image with an unreadable average is left out. */
const average = numeric.nullish()

/** The fields of a visual novel in the form of the source. Unknown ones may be null or absent. */
const VisualNovel = z.object({
  id: z.string(),
  title: entryName,
  alttitle: name,
  titles: facts(z.object({ title: name, latin: name })),
  aliases: facts(visibleName),
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
  const released = readPartialDate(novel.released)
  const developers = distinctNames(novel.developers.map(({ name }) => name))
  const lengthMinutes = novel.length_minutes
  const game: SourceGame = {
    ...NO_FACTS,
    name: novel.title,
    fields: withoutEmpty({
      alternative_names: names,
      summary: removeBbcode(novel.description ?? ''),
      first_release: released?.seconds,
      companies: developers.map((name) => ({ name, developer: true as const })),
    }),
    platforms: novel.platforms,
    images: withoutEmpty({ cover: isExplicit ? undefined : cover }),
  }

  return {
    source: 'vndb',
    id: novel.id,
    part: {
      vnId: novel.id,
      ...withoutEmpty({ rating: novel.rating, votecount: novel.votecount, lengthMinutes }),
      syncedAt,
    },
    game,
    characters: [],
    subject: toSubject(game, {
      originalName: novel.alttitle?.trim() || null,
      released: released?.text ?? null,
      lengthMinutes: lengthMinutes ?? null,
      cover: cover ?? null,
      isExplicitCover: isExplicit,
      url: `https://vndb.org/${novel.id}`,
    }),
  }
}

/** Reads an entry in the form of the source. */
export const readVndbEntry = (sent: unknown, syncedAt = new Date()): SourceEntry<'vndb'> | EntryError =>
  readEntry('vndb', VisualNovel, sent, (novel) => toEntry(novel, syncedAt))

/** 200 in 5 minutes are allowed; these are 180 of them, a few at once. */
const LIMITS = { requests: 6, withinMs: 10_000, open: 1 }

const Answer = z.object({ results: z.array(z.unknown()), more: fact(z.boolean()) })
const Row = z.object({ id: z.string() })

interface VndbOptions extends TransportOptions {
  config: Pick<Config, 'vndb' | 'publicUrl'>
  clock?: () => Date
}

function filtersFor(ids: readonly string[]) {
  const [first, ...others] = ids.map((id) => ['id', '=', id])
  return others.length === 0 ? first : ['or', first, ...others]
}

const toNumber = (id: string | undefined) => Number(id?.slice(1) ?? 0)

export function createVndb({ config, clock = () => new Date(), ...transport }: VndbOptions): SourceReader<'vndb'> {
  const { apiUrl, token } = config.vndb
  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'vndb', publicUrl: config.publicUrl })
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Token ${token}` }),
  }

  function request(query: object, options: ReadOptions) {
    const body = JSON.stringify({ ...query, fields: VN_FIELDS, results: SOURCE_POLICIES.vndb.batchSize })
    const sent = { method: 'POST', url: `${apiUrl}/vn`, headers, body } as const
    return client.request(sent, ({ text }) => parseAnswer('vndb', Answer, text), options)
  }

  return createReader({
    name: 'vndb',
    openForMs: client.openForMs,
    async readBatch(ids, options) {
      const { results: rows, more: hasMore } = await request({ filters: filtersFor(ids) }, options)
      return readRows(ids, { rows, hasMore }, (row) => readVndbEntry(row, clock()))
    },
    async readPage(cursor, options) {
      const filters = cursor === null ? {} : { filters: ['id', '>', cursor] }
      const { results, more } = await request({ ...filters, sort: 'id' }, options)
      const entries = results.map((row) => readVndbEntry(row, clock()))
      if (more !== true) return { entries, cursor: null, isLast: true }
      const ids = results.map((row) => toNumber(Row.safeParse(row).data?.id))
      const last = Math.max(0, ...ids.filter(Number.isInteger))
      if (last <= toNumber(cursor ?? undefined)) throw new SourceError('vndb', 'malformed', NO_PROGRESS)
      return { entries, cursor: `v${last}`, isLast: false }
    },
  })
}
