import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { SessionUser } from '../auth/session-user.ts'

/** Refuses everybody but the owner of presets, whatever the role. @throws FORBIDDEN */
export function assertOwner(user: SessionUser, ownerId: string): void {
  if (user._id.toHexString() !== ownerId) throw new DomainError('FORBIDDEN', MESSAGES.presetsNotYours)
}
