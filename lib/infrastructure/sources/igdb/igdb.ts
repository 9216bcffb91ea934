import { z } from 'zod'
import type { Config } from '#lib/base/config'
import { chunk } from '#lib/base/values/chunk'
import { ID_FORMS } from '#lib/contract/id-forms'
import type { SourceEntry } from '../entries.ts'
import { numeric } from '../facts.ts'
import { createSwitchedOff, noSuchEntry, toSourceError } from '../one-by-one.ts'
import type { ReadOptions, SourceReader } from '../source-reader.ts'
import { SourceError } from '../transport/errors.ts'
import { readEntry } from '../transport/parse-answer.ts'
import { createIgdbApi, type IgdbApi, type IgdbApiOptions } from './api.ts'
import { CHARACTER_FIELDS, IgdbCharacter } from './igdb-character.ts'
import { GAME_FIELDS, IgdbGame } from './igdb-game.ts'
import { toEntry } from './to-entry.ts'

/** An answer may have 10 MB, and a game with all its fields is long. */
const GAMES_PAGE = 50
const CHARACTERS_PAGE = 500
const MAX_CHARACTER_PAGES = 20

interface IgdbOptions extends Omit<IgdbApiOptions, 'config' | 'publicUrl'> {
  config: Pick<Config, 'igdb' | 'publicUrl'>
}

interface Query {
  fields: readonly string[]
  where: { field: string; in: readonly number[] }
  limit: number
  offset?: number
}

/** Builds a query of IGDB's language, in order of id so that pages do not overlap. */
function buildQuery({ fields, where, limit, offset = 0 }: Query): string {
  const clauses = [
    `fields ${fields.join(',')}`,
    `where ${where.field} = (${where.in.join(',')})`,
    'sort id asc',
    `limit ${limit}`,
    ...(offset > 0 ? [`offset ${offset}`] : []),
  ]
  return clauses.map((clause) => `${clause};`).join(' ')
}

type Results = Map<string, SourceEntry<'igdb'> | SourceError>

const Row = z.object({ id: numeric })

async function readGames(api: IgdbApi, ids: readonly number[], options: ReadOptions) {
  const query = buildQuery({ fields: GAME_FIELDS, where: { field: 'id', in: ids }, limit: ids.length })
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
async function readCharacters(
  api: IgdbApi,
  games: readonly number[],
  readOptions: ReadOptions,
): Promise<IgdbCharacter[]> {
  const found: IgdbCharacter[] = []
  const where = { field: 'games', in: games }
  const options = { ...readOptions, isOptional: true }

  for (let page = 0; page < MAX_CHARACTER_PAGES && games.length > 0; page += 1) {
    const slice = { limit: CHARACTERS_PAGE, offset: page * CHARACTERS_PAGE }
    const rows = await api.query('characters', buildQuery({ fields: CHARACTER_FIELDS, where, ...slice }), options)
    found.push(...rows.flatMap((row) => IgdbCharacter.safeParse(row).data ?? []))
    if (rows.length < CHARACTERS_PAGE) break
  }
  return found
}

export function createIgdb({ config, ...transport }: IgdbOptions): SourceReader<'igdb'> {
  const { igdb, publicUrl } = config
  if (igdb === undefined) return createSwitchedOff('igdb')
  const api = createIgdbApi({ ...transport, config: igdb, publicUrl })
  const { imagesUrl } = igdb

  async function readGroup(ids: readonly number[], options: ReadOptions): Promise<Results> {
    const games = await readGames(api, ids, options)
    const known = [...games].flatMap(([id, game]) => (game instanceof SourceError ? [] : [id]))
    const characters = await readCharacters(api, known, options)

    return new Map(
      [...games].map(([id, game]): [string, SourceEntry<'igdb'> | SourceError] => {
        if (game instanceof SourceError) return [String(id), game]
        const ofGame = characters.filter((character) => character.games.includes(id))
        return [String(id), toEntry({ game, characters: ofGame, imagesUrl })]
      }),
    )
  }

  async function readMany(given: readonly string[], options: ReadOptions = {}): Promise<Results> {
    const results: Results = new Map(given.map((id) => [id, noSuchEntry('igdb')]))
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
  }
}
