import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ChangeProfileBody, UserProfile } from '../../contract/users.ts'
import { ImageError } from '../../infrastructure/images/images.ts'
import { isObjectKey, type ObjectKey } from '../../infrastructure/storage/storage.ts'
import type { Actor } from '../auth/actor.ts'
import type { UsersDeps } from './deps.ts'
import { PROFILE_FIELDS, toUserProfile } from './find-user.ts'

/** A recorded key that is older belongs to no change under way. */
const UPLOAD_MS = 120_000

type Deps = Pick<UsersDeps, 'db' | 'images' | 'storage' | 'clock' | 'log'>

const unauthorized = () => new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)

/** Copies an image under a key that is recorded on the user before anything is stored. @throws DomainError INVALID */
async function copyAvatar({ db, images }: Deps, userId: ObjectId, link: string): Promise<ObjectKey> {
  const recordKey = async (key: ObjectKey) => {
    const { matchedCount } = await db.users.updateOne({ _id: userId }, { $push: { avatarUploads: key } })
    if (matchedCount === 0) throw unauthorized()
  }
  return await images.copy({ link, folder: 'avatars', entityId: userId, recordKey }).catch((error: unknown) => {
    if (!(error instanceof ImageError)) throw error
    const message = `The image could not be copied: ${error.message}`
    throw new DomainError('INVALID', message, { issues: [{ path: 'avatar', message }] })
  })
}

/** Deletes replaced avatars, and those that a killed change has left. A failure leaves them to the next change. */
async function deleteUnused({ db, storage, log }: Deps, userId: ObjectId, replaced: string | undefined): Promise<void> {
  try {
    const user = await db.users.findOne({ _id: userId }, { projection: { avatarUploads: 1 } })
    const isOld = (key: string) => new ObjectId(key.split('/')[2]).getTimestamp().getTime() < Date.now() - UPLOAD_MS
    const keys = (user?.avatarUploads ?? []).filter(isObjectKey).filter((key) => key === replaced || isOld(key))
    if (keys.length === 0) return
    await storage.delete(keys)
    await db.users.updateOne({ _id: userId }, { $pullAll: { avatarUploads: keys } })
  } catch (error) {
    log.warn({ err: error, userId }, 'replaced avatars could not be deleted yet')
  }
}

/**
 * Changes the description or the avatar of the actor, which is copied like any other image.
 * @throws DomainError FORBIDDEN, INVALID for an unusable image, UNAVAILABLE, UNAUTHORIZED when the account was deleted meanwhile
 */
export async function changeProfile(
  deps: Deps,
  { user: { _id } }: Actor,
  { userId, description, avatar }: ChangeProfileBody & { userId: string },
): Promise<UserProfile> {
  if (_id.toHexString() !== userId) throw new DomainError('FORBIDDEN', MESSAGES.accountNotYours)
  const copied = avatar ? await copyAvatar(deps, _id, avatar) : avatar
  const uploads = { $setDifference: [{ $ifNull: ['$avatarUploads', []] }, [copied ?? null]] }
  const before = { $cond: [{ $ifNull: ['$avatar', false] }, ['$avatar'], []] }
  const change = {
    ...(description !== undefined && { description: description ? { $literal: description } : '$$REMOVE' }),
    ...(copied !== undefined && {
      avatar: copied ?? '$$REMOVE',
      avatarUploads: { $setUnion: [uploads, before] },
    }),
    updatedAt: '$$NOW',
  }
  const old = await deps.db.users.findOneAndUpdate({ _id }, [{ $set: change }], { projection: { avatar: 1 } })
  if (old === null) {
    if (copied && isObjectKey(copied)) await deps.storage.delete([copied])
    throw unauthorized()
  }
  if (copied !== undefined) await deleteUnused(deps, _id, old.avatar)
  const user = await deps.db.users.findOne({ _id }, { projection: PROFILE_FIELDS })
  if (user === null) throw unauthorized()
  return toUserProfile(deps, user)
}
