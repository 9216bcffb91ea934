import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Presets } from '../../contract/users.ts'
import type { PresetsDocument } from '../../infrastructure/db/collections/presets.ts'
import { id, readableArray } from '../../infrastructure/db/readable-documents.ts'
import type { Actor } from '../auth/actor.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { UsersDeps } from './deps.ts'

/** Refuses everybody but the owner of presets, whatever the role. @throws FORBIDDEN */
export function assertOwner(user: SessionUser, ownerId: string): void {
  if (user._id.toHexString() !== ownerId) throw new DomainError('FORBIDDEN', MESSAGES.presetsNotYours)
}

/** Runs a change after all earlier ones of the owner's presets. @throws FORBIDDEN */
export async function inPresetsTurn<T>(
  { queue }: Pick<UsersDeps, 'queue'>,
  { user, isGone }: Actor,
  ownerId: string,
  change: () => Promise<T>,
): Promise<T> {
  assertOwner(user, ownerId)
  return await queue.run(`presets ${ownerId}`, change, { isGone })
}

const gameIds = readableArray(id.transform((gameId) => gameId.toHexString()))

export const toPresets = (userId: string, stored: Pick<PresetsDocument, 'presets'> | null): Presets => ({
  _id: userId,
  presets: (stored?.presets ?? []).flatMap(({ name, preset }) => {
    if (typeof preset === 'string') return { name, preset }
    return Array.isArray(preset) ? { name, preset: gameIds.parse(preset) } : []
  }),
})
