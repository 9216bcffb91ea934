import { MaxKey } from 'mongodb'
import type { ConflictItem, ConflictParams } from '../../contract/conflicts.ts'
import { BY_DECISION, type ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { firstReadable } from '../../infrastructure/db/readable-documents.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import type { ConflictsDeps } from './deps.ts'
import { findFirstWaiting, isAboutEntries, UNDECIDED, WAITING } from './states.ts'
import { listCandidates, toGameId } from './stored-values.ts'
import { type ShownGame, toConflictItem, UNSHOWN_GAME_FIELDS } from './to-wire.ts'

/** Finds the next waiting conflict of the same source, oldest first. After the last one the first one comes again. */
async function findNextWaiting(
  deps: Pick<ConflictsDeps, 'db'>,
  { _id, source, createdAt }: Pick<ConflictDocument, '_id' | 'source' | 'createdAt'>,
): Promise<string | null> {
  // Bounds of the index are used because a comparison in the filter finds nothing after a record without a date.
  const next = await firstReadable((limit) =>
    deps.db.conflicts
      .find<Pick<ConflictDocument, 'externalId'>>({ _id: { $ne: _id } }, { projection: { externalId: 1 } })
      .hint(BY_DECISION)
      .min({ source, ...UNDECIDED, createdAt: createdAt ?? null, _id })
      .max({ source, ...UNDECIDED, createdAt: new MaxKey(), _id: new MaxKey() })
      .sort(BY_DECISION)
      .limit(limit)
      .toArray(),
  )
  return next?.externalId ?? (await findFirstWaiting(deps, [source], { except: _id }))?.externalId ?? null
}

/** Reads a conflict with the current state of its games. Null for an unknown conflict. */
export async function findConflict(
  deps: Pick<ConflictsDeps, 'db' | 'conflictCounts' | 'config' | 'storage'>,
  { source, externalId }: ConflictParams,
): Promise<ConflictItem | null> {
  const record = await deps.db.conflicts.findOne({ source, externalId })
  if (record === null) return null

  const subjectId = isAboutEntries(source) ? toGameId(record) : null
  const ids = [...listCandidates(record).map(({ gameId }) => gameId), ...(subjectId ? [subjectId] : [])]
  const [stored, remaining, nextExternalId] = await Promise.all([
    mapByIds<ShownGame>(deps.db.games, ids, UNSHOWN_GAME_FIELDS),
    deps.conflictCounts.count(WAITING, source),
    findNextWaiting(deps, record),
  ])
  const games = new Map([...stored].map(([id, game]) => [id, mapImages(game, deps.storage.addressOf)]))
  return toConflictItem(record, games, { remaining, nextExternalId, frontUrl: deps.config.frontUrl })
}
