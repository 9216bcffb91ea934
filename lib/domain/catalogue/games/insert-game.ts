import { type ClientSession, ObjectId } from 'mongodb'
import { withoutEmpty } from '#lib/base/values/without-empty'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { NameKeys } from '#lib/infrastructure/db/collections/name-keys'
import { buildCandidateKeys } from '../../matching/candidate-keys.ts'
import { insertWithSlugs } from '../../names/insert-with-slugs.ts'
import { buildNameKeys, normalise } from '../../names/normalise-name.ts'
import type { CatalogueDeps } from '../deps.ts'

type GameCompany = NonNullable<GameDocument['companies']>[number]
type KeyFacts = Pick<GameDocument, 'name' | 'alternative_names' | 'companies' | 'first_release' | 'igdb' | 'vndb'>
type GameKeys = Required<NameKeys> & Required<Pick<GameDocument, 'matchKeys'>> & Pick<GameDocument, 'companies'>

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)

const withKey = (company: GameCompany): GameCompany =>
  // Another program may have stored a company without a name, or null.
  typeof company?.name === 'string' ? { ...company, key: normalise(company.name) } : company

export function buildGameKeys(game: KeyFacts): GameKeys {
  const { name, alternative_names, companies, first_release, igdb, vndb } = game
  return {
    ...buildNameKeys({
      name,
      alternatives: alternative_names,
      released: first_release ?? null,
      votes: count(igdb?.total_rating_count) + count(igdb?.hypes) + count(vndb?.votecount),
    }),
    matchKeys: buildCandidateKeys(name, alternative_names),
    ...(Array.isArray(companies) && { companies: companies.map(withKey) }),
  }
}

/** The fields of a game that a writer sets. The service derives all others. */
export type GameValues = Omit<GameDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt' | keyof NameKeys>

export type NewGame = GameValues & {
  /** The id under which images may have been stored before. */
  _id?: ObjectId
}

/**
 * Inserts a game with its derived keys and a slug. The type is `Main Game` by default.
 * @throws MongoServerError 11000 when another game has the id, the IGDB id or the VNDB id
 */
export async function insertGame(
  { db, clock }: Pick<CatalogueDeps, 'db' | 'clock'>,
  { _id = new ObjectId(), name, ...fields }: NewGame,
  { session }: { session: ClientSession },
): Promise<GameDocument> {
  const now = clock()
  const game = { _id, name, type: 'Main Game', ...withoutEmpty(fields) }
  const keyed = { ...game, ...buildGameKeys(game), createdAt: now, updatedAt: now }
  const [inserted] = await insertWithSlugs<GameDocument>(db.games, [keyed], session)
  if (inserted === undefined) throw new Error('the insert of a game answers the game')
  return inserted
}
