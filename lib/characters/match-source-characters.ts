import type { ClientSession, ObjectId } from 'mongodb'
import type { CharacterDocument } from '../db/characters.ts'
import type { Deps } from '../deps.ts'
import { distinctIds } from '../games/distinct-ids.ts'
import { textsOf } from '../games/keys.ts'
import type { ResolvedEntry, SourceFields } from '../games/resolve-entries.ts'
import type { SourceCharacter } from '../sources/entries.ts'

interface Wanted {
  gameId: ObjectId
  /** Of the game's entry: what it is related to. */
  fields: ResolvedEntry['fields']
  characters: readonly Pick<SourceCharacter, 'name' | 'akas'>[]
  session?: ClientSession | undefined
}

type Namesake = Pick<CharacterDocument, '_id' | 'name' | 'lowerCaseNames' | 'gameIds'>

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

function isNamesake({ name, akas }: Pick<SourceCharacter, 'name' | 'akas'>, stored: Namesake): boolean {
  const own = textsOf([stored.name]).map((each) => each.toLowerCase())
  return (
    textsOf(stored.lowerCaseNames).includes(name.toLowerCase()) ||
    textsOf(akas).some((aka) => own.includes(aka.toLowerCase()))
  )
}

/**
 * Finds the characters of the catalogue that characters of a source are: of one name, as a whole string in any case, and
 * of this game, of a game of the same world, or of none. A name alone is no proof.
 * @returns the ids, by the source's names
 */
export async function matchSourceCharacters(
  { db }: Pick<Deps, 'db'>,
  { gameId, fields, characters, session }: Wanted,
): Promise<Map<string, ObjectId>> {
  if (characters.length === 0) return new Map()
  const within = { ...(session && { session }) }
  const names = characters.flatMap(({ name, akas }) => [name, ...textsOf(akas)].map((each) => each.toLowerCase()))
  const namesakes = await db.characters
    .find<Namesake>({ lowerCaseNames: { $in: [...new Set(names)] } }, { projection: NAMESAKE, ...within })
    .limit(MOST_NAMESAKES)
    .toArray()
  namesakes.sort((a, b) => (hexOf(a._id) < hexOf(b._id) ? -1 : 1))

  const series = new Set(relatedOf(fields.relatedGames ?? {}).map(hexOf))
  const franchises = textsOf(fields.franchises)
  const others = distinctIds(namesakes.flatMap(gamesOf)).filter((id) => !series.has(hexOf(id)) && !id.equals(gameId))
  if (franchises.length > 0 && others.length > 0) {
    const rows = await db.games
      .find({ _id: { $in: others }, franchises: { $in: franchises } }, { projection: { _id: 1 }, ...within })
      .toArray()
    for (const { _id } of rows) series.add(hexOf(_id))
  }

  const tests: ((games: readonly ObjectId[]) => boolean)[] = [
    (games) => games.some((id) => id.equals(gameId)),
    (games) => games.some((id) => series.has(hexOf(id))),
    (games) => games.length === 0,
  ]
  return new Map(
    characters.flatMap((character) => {
      const own = namesakes.filter((each) => isNamesake(character, each))
      const same = tests.map((test) => own.find((each) => test(gamesOf(each)))).find((each) => each !== undefined)
      return same === undefined ? [] : [[character.name, same._id]]
    }),
  )
}
