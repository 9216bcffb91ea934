import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { NameKeys } from '#lib/infrastructure/db/collections/name-keys'
import { buildCandidateKeys } from '../../matching/candidate-keys.ts'
import { buildNameKeys, normalise } from '../../names/normalise-name.ts'

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
