import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { chunk } from '#lib/base/values/chunk'
import { ID_FORMS } from '#lib/contract/sources'
import type { SourceEntry } from '../entries.ts'
import { number, numeric } from '../facts.ts'
import { createSwitchedOff, noSuchEntry, toSourceError } from '../one-by-one.ts'
import type { PageOptions, ReadOptions, SourcePage, SourceReader } from '../source-reader.ts'
import { NO_PROGRESS, SourceError } from '../transport/errors.ts'
import { readEntry } from '../transport/parse-answer.ts'
import { createIgdbApi, type IgdbApi, type IgdbApiOptions } from './api.ts'
import { CHARACTER_FIELDS, GAME_FIELDS, IgdbCharacter, IgdbGame } from './igdb-game.ts'
import { toEntry } from './to-entry.ts'

/** An answer may have 10 MB, and a game with all its fields is long. */
const GAMES_PAGE = 50
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
  /** The field of the order; by id pages do not overlap. */
  sort?: string
  limit: number
  offset?: number
}

const among = (field: string, ids: readonly number[]) => `${field} = (${ids.join(',')})`

/** Builds a query of IGDB's language. */
function buildQuery({ fields, where, sort = 'id', limit, offset = 0 }: Query): string {
  const clauses = [
    `fields ${fields.join(',')}`,
    `where ${where}`,
    `sort ${sort} asc`,
    `limit ${limit}`,
    ...(offset > 0 ? [`offset ${offset}`] : []),
  ]
  return clauses.map((clause) => `${clause};`).join(' ')
}

type Results = Map<string, SourceEntry<'igdb'> | SourceError>

const Row = z.object({ id: numeric, updated_at: number })

async function readGames(api: IgdbApi, ids: readonly number[], options: ReadOptions) {
  const query = buildQuery({ fields: GAME_FIELDS, where: among('id', ids), limit: ids.length })
  const rows = new Map<number | undefined, unknown>(
    (await api.query('games', query, options)).map((row) => [Row.safeParse(row).data?.id, row]),
  )
  // A row without a readable id may belong to any id that has no row.
  const isAnyLost = rows.has(undefined)

  return new Map(
    ids.map(
      (id) =>
        [id, rows.has(id) || isAnyLost ? readEntry('igdb', IgdbGame, rows.get(id)) : noSuchEntry('igdb')] as const,
    ),
  )
}

/** Up to 10,000 characters of some games, without malformed ones; none where IGDB rejects the query. */
async function readCharacters(api: IgdbApi, games: readonly number[], readOptions: ReadOptions) {
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
 * Reads the games that changed in second `at` or later, which overlaps with the page before by one second. Where more games
 * than a page holds changed in one second, they are read by their ids: `at/<id>` stands for those of `at` behind that id.
 */
async function readChanged(api: IgdbApi, cursor: string, options: PageOptions) {
  const [at = 0, behind] = cursor.split('/').map(Number)
  const isWithin = behind !== undefined
  const query = isWithin
    ? { where: `updated_at = ${at} & id > ${behind}`, sort: 'id' }
    : { where: `updated_at >= ${at}`, sort: 'updated_at' }
  const rows = await api.query('games', buildQuery({ fields: GAME_FIELDS, ...query, limit: WALK_PAGE }), options)
  const isFull = rows.length >= WALK_PAGE

  const read = rows.flatMap((row) => Row.safeParse(row).data ?? [])
  const lastId = Math.max(0, ...read.map(({ id }) => id))
  const lastAt = Math.max(at, ...read.flatMap(({ updated_at }) => updated_at ?? []))
  if (isFull && (isWithin ? lastId <= behind : read.length === 0))
    throw new SourceError('igdb', 'malformed', NO_PROGRESS)
  if (isWithin) return { rows, cursor: isFull ? `${at}/${lastId}` : String(at + 1), isLast: false }
  return { rows, cursor: isFull && lastAt === at ? `${at}/0` : String(lastAt), isLast: !isFull }
}

export function createIgdb({ config, ...transport }: IgdbOptions): SourceReader<'igdb'> {
  const { igdb, publicUrl } = config
  if (igdb === undefined) return createSwitchedOff('igdb')
  const api = createIgdbApi({ ...transport, config: igdb, publicUrl })
  const { imagesUrl } = igdb

  async function readGroup(ids: readonly number[], options: ReadOptions): Promise<Results> {
    const games = await readGames(api, ids, options)
    const found = [...games].flatMap(([id, game]) => (game instanceof SourceError ? [] : [id]))
    const characters = await readCharacters(api, found, options)

    return new Map(
      [...games].map(([id, game]): [string, SourceEntry<'igdb'> | SourceError] => {
        if (game instanceof SourceError) return [String(id), game]
        const ofGame = characters.filter((character) => character.games.includes(id))
        return [String(id), toEntry({ game, characters: ofGame, imagesUrl })]
      }),
    )
  }

  async function readMany(wanted: readonly string[], options: ReadOptions = {}): Promise<Results> {
    const results: Results = new Map(wanted.map((id) => [id, noSuchEntry('igdb')]))
    const groups = chunk([...results.keys()].filter((id) => ID_FORMS.igdb.test(id)).map(Number), GAMES_PAGE)
    const failures: SourceError[] = []

    for (const ids of groups) {
      const group = await readGroup(ids, options).catch(toSourceError)
      if (group instanceof SourceError) failures.push(group)
      for (const id of ids.map(String))
        results.set(id, group instanceof SourceError ? group : (group.get(id) ?? noSuchEntry('igdb')))
    }
    const [failure] = failures
    if (failure !== undefined && failures.length === groups.length) throw failure
    return results
  }

  return {
    name: 'igdb',
    isOn: true,
    openForMs: api.openForMs,
    readMany,
    async read(id, options) {
      const result = (await readMany([id], options)).get(id) ?? noSuchEntry('igdb')
      if (result instanceof SourceError) throw result
      return result
    },
    async readPage(cursor, options): Promise<SourcePage<'igdb'>> {
      const { rows, ...page } = await readChanged(api, cursor ?? '0', options)
      const games = rows.map((row) => readEntry('igdb', IgdbGame, row))
      const entries = games.map((game) =>
        game instanceof SourceError ? game : toEntry({ game, characters: [], imagesUrl }),
      )
      return { ...page, entries }
    },
    cursorSince: (time) => String(Math.floor(time.getTime() / 1_000)),
  }
}
