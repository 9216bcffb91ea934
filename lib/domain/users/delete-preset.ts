import type { Presets } from '../../contract/users.ts'
import type { Actor } from '../auth/actor.ts'
import type { UsersDeps } from './deps.ts'
import { listPresets } from './list-presets.ts'
import { inPresetsTurn, toPresets } from './presets.ts'

/** Removes the actor's preset of a name. A missing one is no error. @throws FORBIDDEN */
export async function deletePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  actor: Actor,
  { ownerId, name }: { ownerId: string; name: string },
): Promise<Presets> {
  const left = await inPresetsTurn(deps, actor, ownerId, () =>
    deps.db.presets.findOneAndUpdate(
      { _id: actor.user._id, 'presets.name': name },
      { $pull: { presets: { name } }, $currentDate: { updatedAt: true } },
      { returnDocument: 'after' },
    ),
  )
  return left === null ? listPresets(deps, { ownerId, viewer: actor.user }) : toPresets(ownerId, left)
}
