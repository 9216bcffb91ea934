import { ObjectId } from 'mongodb'
import { Source } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, UNDECIDED } from './states.ts'
import { textOr } from './stored-values.ts'

/** Lists the waiting conflicts that involve a game: the one about it, then those with it as a candidate, oldest first. */
export async function listConflictsOfGame({ db }: Pick<ConflictsDeps, 'db'>, { gameId }: { gameId: string }) {
  const find = (involved: object) =>
    db.conflicts
      .find<Pick<ConflictDocument, 'source' | 'externalId' | 'externalName'>>(
        { ...involved, ...UNDECIDED },
        { projection: { _id: 0, source: 1, externalId: 1, externalName: 1 } },
      )
      .sort({ createdAt: 1, _id: 1 })
      .toArray()

  const [asSubject, asCandidate] = await Promise.all([
    find({ source: { $in: Source.options.filter(isAboutEntries) }, externalId: gameId }),
    find({ 'candidates.gameId': new ObjectId(gameId) }),
  ])
  return [...asSubject, ...asCandidate].map((found) => ({
    ...found,
    externalName: textOr(found.externalName, found.externalId),
  }))
}
