import type { Presets } from '../../contract/users.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { UsersDeps } from './deps.ts'
import { assertOwner, toPresets } from './presets.ts'

/** Lists the viewer's presets. @throws FORBIDDEN */
export async function listPresets(
  { db }: Pick<UsersDeps, 'db'>,
  { ownerId, viewer }: { ownerId: string; viewer: SessionUser },
): Promise<Presets> {
  assertOwner(viewer, ownerId)
  return toPresets(ownerId, await db.presets.findOne({ _id: viewer._id }))
}
