import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictItem, ConflictParams } from '../contract/conflicts.ts'
import { countWaiting } from './count-conflicts.ts'
import type { ConflictsDeps } from './deps.ts'
import { findGames } from './find-games.ts'
import { findNextWaiting } from './find-next-waiting.ts'
import { isAboutEntries } from './states.ts'
import { listCandidates, toGameId } from './stored-values.ts'
import { ITEM_GAME_FIELDS, type ItemGame, toConflictItem } from './to-wire.ts'

/** Reads a conflict with the games that it names as they are now. Null when it is unknown. */
export async function findConflict(
  deps: Pick<ConflictsDeps, 'db' | 'conflictReads' | 'config'>,
  { source, externalId }: ConflictParams,
): Promise<ConflictItem | null> {
  const record = await deps.db.conflicts.findOne({ source, externalId }, { maxTimeMS: MAX_TIME_MS })
  if (record === null) return null

  const subjectId = isAboutEntries(source) ? toGameId(record) : null
  const ids = [...listCandidates(record).map(({ gameId }) => gameId), ...(subjectId ? [subjectId] : [])]
  const [games, remaining, nextExternalId] = await Promise.all([
    findGames<ItemGame>(deps, { ids, projection: ITEM_GAME_FIELDS }),
    countWaiting(deps, { source }),
    findNextWaiting(deps, record),
  ])
  return toConflictItem(record, { games, remaining, nextExternalId, frontUrl: deps.config.frontUrl })
}
