import type { ClientSession, ObjectId } from 'mongodb'
import type { CharacterDocument } from '../db/collections/characters.ts'
import type { ResolvedEntry, SourceFields } from '../entries/resolve-entries.ts'
import { stringsIn } from '../names/normalise-name.ts'
import type { SourceCharacter } from '../sources/entries.ts'
import { distinctIds } from '../values/distinct-ids.ts'
import type { CharactersDeps } from './deps.ts'

/** A character as far as it is told from others. */
type Nameable = Pick<SourceCharacter, 'name' | 'akas' | 'games'>

interface Wanted {
  gameId: ObjectId
  /** Of the game's entry: what it is related to. */
  fields: ResolvedEntry['fields']
  characters: readonly Nameable[]
  session?: ClientSession | undefined
}

type Namesake = Pick<CharacterDocument, '_id' | 'name' | 'lowerCaseNames' | 'gameIds'>

interface Candidate {
  character: Nameable
  namesakes: readonly Namesake[]
}

/** Names such as `Guard` have many bearers. */
const MOST_NAMESAKES = 2_000
const NAMESAKE = { name: 1, lowerCaseNames: 1, gameIds: 1 }

const hexOf = (id: ObjectId) => id.toHexString()
const gamesOf = ({ gameIds }: Namesake): ObjectId[] =>
  // An older release may have stored null.
  Array.isArray(gameIds) ? gameIds.filter((id) => id !== null) : []

/** The games of one world with this one; those that are merely alike have characters of their own. */
const relatedOf = ({ similar_games: _, ...relations }: NonNullable<SourceFields['relatedGames']>): ObjectId[] =>
  Object.values(relations).flat()

function isNamesake({ name, akas }: Nameable, stored: Namesake): boolean {
  const own = stringsIn([stored.name]).map((each) => each.toLowerCase())
  return (
    stringsIn(stored.lowerCaseNames).includes(name.toLowerCase()) ||
    stringsIn(akas).some((aka) => own.includes(aka.toLowerCase()))
  )
}

const gamesOfAll = (candidates: readonly Candidate[]): ObjectId[] =>
  distinctIds(candidates.flatMap(({ namesakes }) => namesakes.flatMap(gamesOf)))

/** The source's ids of the games of some namesakes, as far as the source has their characters in them, by our ids. */
async function findSourceIds(
  { db }: Pick<CharactersDeps, 'db'>,
  candidates: readonly Candidate[],
  session: ClientSession | undefined,
): Promise<Map<string, number>> {
  const wanted = candidates.filter(({ namesakes }) => namesakes.some((each) => gamesOf(each).length > 0))
  const ids = [...new Set(wanted.flatMap(({ character }) => character.games ?? []))]
  if (ids.length === 0) return new Map()

  const rows = await db.games
    .find<{ _id: ObjectId; igdb: { gameId: number } }>(
      { _id: { $in: gamesOfAll(wanted) }, 'igdb.gameId': { $in: ids } },
      { projection: { 'igdb.gameId': 1 }, ...(session && { session }) },
    )
    .toArray()
  return new Map(rows.map(({ _id, igdb }) => [hexOf(_id), igdb.gameId]))
}

/** Our ids of the games of this one's world: those that it is related to, and those of some namesakes that share a franchise. */
async function findSeries(
  { db }: Pick<CharactersDeps, 'db'>,
  candidates: readonly Candidate[],
  { fields, session }: Pick<Wanted, 'fields' | 'session'>,
): Promise<Set<string>> {
  const series = new Set(relatedOf(fields.relatedGames ?? {}).map(hexOf))
  const franchises = stringsIn(fields.franchises)
  const others = gamesOfAll(candidates).filter((id) => !series.has(hexOf(id)))
  if (franchises.length === 0 || others.length === 0) return series

  const rows = await db.games
    .find(
      { _id: { $in: others }, franchises: { $in: franchises } },
      { projection: { _id: 1 }, ...(session && { session }) },
    )
    .toArray()
  return new Set([...series, ...rows.map(({ _id }) => hexOf(_id))])
}

/**
 * Finds the characters of the catalogue that characters of a source are: of one name, as a whole string in any case, and
 * of this game, of a game that the source has the character in, of a game of the same world, or of none. A name alone is
 * no proof.
 * @returns the ids, by the source's names
 */
export async function matchSourceCharacters(
  deps: Pick<CharactersDeps, 'db'>,
  { gameId, fields, characters, session }: Wanted,
): Promise<Map<string, ObjectId>> {
  const matched = new Map<string, ObjectId>()
  if (characters.length === 0) return matched
  const names = characters.flatMap(({ name, akas }) => [name, ...stringsIn(akas)].map((each) => each.toLowerCase()))
  const stored = await deps.db.characters
    .find<Namesake>(
      { lowerCaseNames: { $in: [...new Set(names)] } },
      { projection: NAMESAKE, ...(session && { session }) },
    )
    .limit(MOST_NAMESAKES)
    .toArray()
  stored.sort((a, b) => (hexOf(a._id) < hexOf(b._id) ? -1 : 1))

  let open = characters.map(
    (character): Candidate => ({ character, namesakes: stored.filter((each) => isNamesake(character, each)) }),
  )
  const match = (test: (games: readonly ObjectId[], character: Nameable) => boolean) => {
    open = open.filter(({ character, namesakes }) => {
      const same = namesakes.find((each) => test(gamesOf(each), character))
      if (same !== undefined) matched.set(character.name, same._id)
      return same === undefined
    })
  }

  match((games) => games.some((id) => id.equals(gameId)))
  const sourceIds = await findSourceIds(deps, open, session)
  match((games, character) => {
    const own = new Set<number | undefined>(character.games)
    return games.some((id) => sourceIds.has(hexOf(id)) && own.has(sourceIds.get(hexOf(id))))
  })
  const series = await findSeries(deps, open, { fields, session })
  match((games) => games.some((id) => series.has(hexOf(id))))
  match((games) => games.length === 0)
  return matched
}
