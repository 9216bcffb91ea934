import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { number, numeric } from '../facts.ts'
import {
  createReader,
  createSwitchedOff,
  type PageOptions,
  type ReadOptions,
  readRows,
  type SourceReader,
} from '../source-reader.ts'
import { EntryError, NO_PROGRESS, SourceError } from '../transport/errors.ts'
import { readEntry } from '../transport/parse-answer.ts'
import { createIgdbApi, type IgdbApi, type IgdbApiOptions } from './api.ts'
import { CHARACTER_FIELDS, GAME_FIELDS, IgdbCharacter, IgdbGame } from './igdb-game.ts'
import { readIgdbEntry, toEntry } from './to-entry.ts'

/** Pages of a walk read no characters. */
const WALK_PAGE = 100
const CHARACTERS_PAGE = 500
const MAX_CHARACTER_PAGES = 20

interface IgdbOptions extends Omit<IgdbApiOptions, 'config' | 'publicUrl'> {
  config: Pick<Config, 'igdb' | 'publicUrl'>
}

interface Query {
  fields: readonly string[]
  where: string
  /** The default is `id`, by which pages do not overlap. */
  sort?: string
  limit: number
  offset?: number
}

const among = (field: string, ids: readonly string[]) => `${field} = (${ids.join(',')})`

const buildQuery = ({ fields, where, sort = 'id', limit, offset = 0 }: Query) =>
  [`fields ${fields.join(',')}`, `where ${where}`, `sort ${sort} asc`, `limit ${limit}`, `offset ${offset}`]
    .map((clause) => `${clause};`)
    .join(' ')

const Row = z.object({ id: numeric, updated_at: number })

/** Reads up to 10,000 characters of some games, without malformed ones; none when IGDB refuses the query. */
async function readCharacters(api: IgdbApi, games: readonly string[], readOptions: ReadOptions) {
  const found: IgdbCharacter[] = []
  const where = among('games', games)
  const options = { ...readOptions, isOptional: true }

  for (let page = 0; page < MAX_CHARACTER_PAGES && games.length > 0; page += 1) {
    const slice = { limit: CHARACTERS_PAGE, offset: page * CHARACTERS_PAGE }
    const rows = await api.query('characters', buildQuery({ fields: CHARACTER_FIELDS, where, ...slice }), options)
    found.push(...rows.flatMap((row) => IgdbCharacter.safeParse(row).data ?? []))
    if (rows.length < CHARACTERS_PAGE) break
  }
  return found
}

/**
 * Reads the games that changed in second `at` or later, so a page overlaps with the previous one by one second. When a second has
 * more changed games than a page, they are read by their ids: the cursor `at/<id>` stands for the games of `at` after that id.
 */
async function readChanged(api: IgdbApi, cursor: string, options: PageOptions) {
  const [at = 0, afterId] = cursor.split('/').map(Number)
  const isWithin = afterId !== undefined
  const query = isWithin
    ? { where: `updated_at = ${at} & id > ${afterId}`, sort: 'id' }
    : { where: `updated_at >= ${at}`, sort: 'updated_at' }
  const rows = await api.query('games', buildQuery({ fields: GAME_FIELDS, ...query, limit: WALK_PAGE }), options)
  const isFull = rows.length >= WALK_PAGE

  const read = rows.flatMap((row) => Row.safeParse(row).data ?? [])
  const lastId = Math.max(0, ...read.map(({ id }) => id))
  const lastAt = Math.max(at, ...read.flatMap(({ updated_at }) => updated_at ?? []))
  if (isFull && (isWithin ? lastId <= afterId : read.length === 0))
    throw new SourceError('igdb', 'malformed', NO_PROGRESS)
  if (isWithin) return { rows, cursor: isFull ? `${at}/${lastId}` : String(at + 1), isLast: false }
  return { rows, cursor: isFull && lastAt === at ? `${at}/0` : String(lastAt), isLast: !isFull }
}

export function createIgdb({ config, ...transport }: IgdbOptions): SourceReader<'igdb'> {
  const { igdb, publicUrl } = config
  if (igdb === undefined) return createSwitchedOff('igdb')
  const api = createIgdbApi({ ...transport, config: igdb, publicUrl })
  const { imagesUrl } = igdb

  return createReader({
    name: 'igdb',
    openForMs: api.openForMs,
    async readBatch(ids, options) {
      const query = buildQuery({ fields: GAME_FIELDS, where: among('id', ids), limit: ids.length })
      const rows = await api.query('games', query, options)
      const games = readRows(ids, { rows }, (row) => readEntry('igdb', IgdbGame, row, (game) => game))
      const found = [...games].flatMap(([id, game]) => (game instanceof EntryError ? [] : [id]))
      const characters = await readCharacters(api, found, options)

      const toRead = (game: IgdbGame | EntryError) => {
        if (game instanceof EntryError) return game
        return toEntry({ game, characters: characters.filter(({ games }) => games.includes(game.id)), imagesUrl })
      }
      return new Map([...games].map(([id, game]) => [id, toRead(game)]))
    },
    async readPage(cursor, options) {
      const { rows, ...page } = await readChanged(api, cursor ?? '0', options)
      return { ...page, entries: rows.map((row) => readIgdbEntry(row, imagesUrl)) }
    },
    cursorSince: (time) => String(Math.floor(time.getTime() / 1_000)),
  })
}
