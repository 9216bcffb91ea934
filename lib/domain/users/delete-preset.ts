import type { Presets } from '../../contract/users.ts'
import type { Actor } from '../auth/actor.ts'
import { assertOwner } from './assert-owner.ts'
import type { UsersDeps } from './deps.ts'
import { listPresets } from './list-presets.ts'
import { presetsKey } from './presets-key.ts'
import { toPresets } from './to-wire.ts'

/** Removes the actor's preset of a name. A missing one is no error. @throws FORBIDDEN */
export async function deletePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  { user, isGone }: Actor,
  { ownerId, name }: { ownerId: string; name: string },
): Promise<Presets> {
  assertOwner(user, ownerId)
  const remove = () =>
    deps.db.presets.findOneAndUpdate(
      { _id: user._id, 'presets.name': name },
      { $pull: { presets: { name } }, $currentDate: { updatedAt: true } },
      { returnDocument: 'after' },
    )
  const left = await deps.queue.run(presetsKey(user), remove, { isGone })
  return left === null ? listPresets(deps, { ownerId, viewer: user }) : toPresets(ownerId, left)
}
