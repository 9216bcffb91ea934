import type { ClientSession, ObjectId } from 'mongodb'
import { distinctIds } from '#lib/base/values/distinct-ids'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { SourceCharacter } from '#lib/infrastructure/sources/entries'
import { ignoreCase, stringsIn } from '../../names/normalise-name.ts'
import type { CatalogueDeps } from '../deps.ts'
import type { ResolvedEntry } from '../entries/resolve-entries.ts'
import { findIgdbGames } from '../games/linked-ids.ts'

type CharacterFacts = Pick<SourceCharacter, 'name' | 'akas' | 'games'>

interface MatchInput {
  gameId: ObjectId
  /** Fields of the game's entry: they name the games that it is related to. */
  fields: ResolvedEntry['fields']
  characters: readonly CharacterFacts[]
}

interface Options {
  session?: ClientSession
}

type Namesake = Pick<CharacterDocument, '_id' | 'name' | 'lowerCaseNames' | 'gameIds'>

interface Candidate {
  character: CharacterFacts
  namesakes: readonly Namesake[]
}

/** Limits the namesakes that are read, because many characters share a name such as `Guard`. */
const MAX_NAMESAKES = 2_000
const NAMESAKE_FIELDS = { name: 1, lowerCaseNames: 1, gameIds: 1 }

const toHex = (id: ObjectId) => id.toHexString()
const listGames = ({ gameIds }: Namesake): ObjectId[] =>
  // Another program may have stored null.
  Array.isArray(gameIds) ? gameIds.filter((id) => id !== null) : []

function isNamesake({ name, akas }: CharacterFacts, stored: Namesake): boolean {
  const names = stringsIn([stored.name]).map(ignoreCase)
  return (
    stringsIn(stored.lowerCaseNames).includes(ignoreCase(name)) ||
    stringsIn(akas).some((aka) => names.includes(ignoreCase(aka)))
  )
}

const listAllGames = (candidates: readonly Candidate[]): ObjectId[] =>
  distinctIds(candidates.flatMap(({ namesakes }) => namesakes.flatMap(listGames)))

/** Finds the games of the same series: related games, and those games of namesakes that share a franchise. */
async function findSeries(
  { db }: Pick<CatalogueDeps, 'db'>,
  candidates: readonly Candidate[],
  fields: MatchInput['fields'],
  options: Options,
): Promise<Set<string>> {
  // Similar games do not share characters.
  const { similar_games: _, ...relations } = fields.relatedGames ?? {}
  const series = new Set(Object.values(relations).flat().map(toHex))
  const franchises = stringsIn(fields.franchises)
  const others = listAllGames(candidates).filter((id) => !series.has(toHex(id)))
  if (franchises.length === 0 || others.length === 0) return series

  const rows = await db.games
    .find({ _id: { $in: others }, franchises: { $in: franchises } }, { projection: { _id: 1 }, ...options })
    .toArray()
  return new Set([...series, ...rows.map(({ _id }) => toHex(_id))])
}

/**
 * Finds the stored characters that are the same as characters of a source. A whole name is equal in any case, and both have a
 * game in common: this game, another one that the source names, or one of the same series. A stored character without any
 * game needs only the name.
 * @returns the ids, by the source's names
 */
export async function matchSourceCharacters(
  deps: Pick<CatalogueDeps, 'db'>,
  { gameId, fields, characters }: MatchInput,
  options: Options = {},
): Promise<Map<string, ObjectId>> {
  const matched = new Map<string, ObjectId>()
  if (characters.length === 0) return matched
  const names = characters.flatMap(({ name, akas }) => [name, ...stringsIn(akas)].map(ignoreCase))
  const stored = await deps.db.characters
    .find<Namesake>({ lowerCaseNames: { $in: [...new Set(names)] } }, { projection: NAMESAKE_FIELDS, ...options })
    .limit(MAX_NAMESAKES)
    .toArray()
  stored.sort((a, b) => (toHex(a._id) < toHex(b._id) ? -1 : 1))

  let open = characters.map(
    (character): Candidate => ({ character, namesakes: stored.filter((namesake) => isNamesake(character, namesake)) }),
  )
  const match = (test: (games: readonly ObjectId[], character: CharacterFacts) => boolean) => {
    open = open.filter(({ character, namesakes }) => {
      const same = namesakes.find((namesake) => test(listGames(namesake), character))
      if (same !== undefined) matched.set(character.name, same._id)
      return same === undefined
    })
  }

  match((games) => games.some((id) => id.equals(gameId)))
  const inGames = open.filter(({ namesakes }) => namesakes.some((namesake) => listGames(namesake).length > 0))
  const sourceGames = await findIgdbGames(
    deps,
    inGames.flatMap(({ character }) => character.games ?? []),
    options,
  )
  match((games, character) => {
    const ofSource = new Set((character.games ?? []).flatMap((id) => sourceGames.get(id)?.toHexString() ?? []))
    return games.some((id) => ofSource.has(toHex(id)))
  })
  const series = await findSeries(deps, open, fields, options)
  match((games) => games.some((id) => series.has(toHex(id))))
  match((games) => games.length === 0)
  return matched
}
