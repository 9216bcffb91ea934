import type { Presets } from '../../contract/users.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { assertOwner } from './assert-owner.ts'
import type { UsersDeps } from './deps.ts'
import { listPresets } from './list-presets.ts'
import { presetsKey } from './presets-key.ts'
import { toPresets } from './to-wire.ts'

/** Removes one's own preset of a name; one that is not there is no error. @throws FORBIDDEN */
export async function deletePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  { ownerId, asker, name }: { ownerId: string; asker: SessionUser; name: string },
): Promise<Presets> {
  assertOwner(asker, ownerId)
  const left = await deps.queue.run(presetsKey(asker), () =>
    deps.db.presets.findOneAndUpdate(
      { _id: asker._id, 'presets.name': name },
      { $pull: { presets: { name } }, $currentDate: { updatedAt: true } },
      { returnDocument: 'after' },
    ),
  )
  return left === null ? listPresets(deps, { ownerId, asker }) : toPresets(ownerId, left)
}
