import { mapByIds } from '#lib/infrastructure/db/find-by-ids'
import { isObjectKey } from '#lib/infrastructure/storage/object-key'
import type { Storage } from '#lib/infrastructure/storage/storage'
import type { Newcomer } from './copy-mug-shots.ts'
import type { CharactersDeps } from './deps.ts'

type DeleteDeps = Pick<CharactersDeps, 'db'> & { storage: Pick<Storage, 'delete'> }

/** Deletes mug shots of characters that another process created meanwhile; a renamed character keeps its own. */
export async function deleteUnusedMugShots(
  { db, storage }: DeleteDeps,
  superseded: readonly Newcomer[],
): Promise<void> {
  const ids = superseded.map(({ _id }) => _id)
  const stored = await mapByIds(db.characters, ids, { _id: 1 })
  const unused = superseded
    .filter(({ _id }) => !stored.has(_id.toHexString()))
    .flatMap(({ mugShot }) => mugShot ?? [])
    .filter(isObjectKey)
  if (unused.length > 0) await storage.delete(unused)
}
