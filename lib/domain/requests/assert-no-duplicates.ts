import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { toIsoDay } from '../../base/values/calendar-day.ts'
import { type GamePayload, MESSAGES } from '../../contract/index.ts'
import type { CharacterDocument } from '../../infrastructure/db/collections/characters.ts'
import { buildCharacterKeys } from '../catalogue/characters/insert-characters.ts'
import { findMatches } from '../matching/find-matches.ts'
import type { MatchSubject } from '../matching/match.ts'
import { LIKELY_DUPLICATE_SCORE } from '../matching/weights.ts'
import { stringsIn } from '../names/normalise-name.ts'
import type { RequestsDeps } from './deps.ts'

type NewGame = GamePayload & { name: string }
type NewCharacter = Pick<CharacterDocument, 'name' | 'akas' | 'gameIds'>

/** A new entry that is created by its name, with the fields that the search for duplicates compares. */
export type NewEntry = {
  /** True when the admin has confirmed that the entry is not a duplicate. */
  isForced: boolean
} & ({ kind: 'game'; fields: NewGame } | { kind: 'character'; fields: NewCharacter })

const MAX_DUPLICATES = 20

function toMatchSubject(game: NewGame): MatchSubject {
  const { name, alternative_names = [], type = null, first_release, companies = [], platformIds = [] } = game
  return {
    name,
    alternativeNames: alternative_names,
    type,
    released: first_release === undefined ? null : toIsoDay(first_release),
    companies: stringsIn([game.developer, game.publisher, ...companies.map((company) => company.name)]),
    platformIds: platformIds.map((id) => new ObjectId(id)),
    genres: [],
    summary: game.summary ?? null,
  }
}

type Found = Pick<CharacterDocument, '_id' | 'name' | 'slug'>

const toDuplicate = ({ _id, name, slug }: Found, score: number) => ({ _id: _id.toHexString(), name, slug, score })

async function findGames(deps: Pick<RequestsDeps, 'db'>, game: NewGame) {
  const options = { take: MAX_DUPLICATES, leastScore: LIKELY_DUPLICATE_SCORE }
  const matches = await findMatches(deps, toMatchSubject(game), options)
  return matches.map(({ gameId, score, ...match }) => toDuplicate({ ...match, _id: gameId }, Math.round(score * 100)))
}

async function findCharacters({ db }: Pick<RequestsDeps, 'db'>, { name, akas, gameIds }: NewCharacter) {
  const { lowerCaseNames } = buildCharacterKeys({ name, ...(akas && { akas }) })
  const found = await db.characters
    .find<Found>(
      { lowerCaseNames: { $in: lowerCaseNames }, ...(gameIds?.length && { gameIds: { $in: gameIds } }) },
      { projection: { name: 1, slug: 1 } },
    )
    .sort({ _id: 1 })
    .limit(MAX_DUPLICATES)
    .toArray()
  return found.map((character) => toDuplicate(character, 1))
}

/** @throws DomainError CONFLICT with the entries of the catalogue that a new one may be, unless the approval is forced */
export async function assertNoDuplicates(
  deps: Pick<RequestsDeps, 'db' | 'failpoint'>,
  { isForced, kind, fields }: NewEntry,
): Promise<void> {
  if (isForced) return
  await deps.failpoint('approval:checking-duplicates')
  const duplicates = kind === 'game' ? await findGames(deps, fields) : await findCharacters(deps, fields)
  if (duplicates.length > 0) throw new DomainError('CONFLICT', MESSAGES.possibleDuplicates, { duplicates })
}
