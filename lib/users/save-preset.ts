import { type Document, MongoServerError } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { PRESETS_LIMIT } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Presets } from '../contract/users.ts'
import { DomainError } from '../errors.ts'
import { assertOwner } from './assert-owner.ts'
import type { UsersDeps } from './deps.ts'
import { presetsKey } from './presets-key.ts'
import { toPresets } from './to-wire.ts'

interface Input {
  ownerId: string
  asker: SessionUser
  name: string
  preset: string
}

/** The list with the preset in the place of its namesake, or at the end. Names are data, also those that start with `$`. */
function withPreset(name: string, preset: string): Document {
  const listed = { $ifNull: ['$presets', []] }
  const saved = { name: { $literal: name }, preset: { $literal: preset } }
  const isNamesake = (path: string) => ({ $eq: [path, { $literal: name }] })

  return {
    $cond: [
      { $in: [{ $literal: name }, { $ifNull: ['$presets.name', []] }] },
      { $map: { input: listed, as: 'each', in: { $cond: [isNamesake('$$each.name'), saved, '$$each'] } } },
      { $concatArrays: [listed, [saved]] },
    ],
  }
}

/** Saves a preset under its name, replacing the one of that name. @throws FORBIDDEN, CONFLICT */
export async function savePreset(
  { db, queue }: Pick<UsersDeps, 'db' | 'queue'>,
  { ownerId, asker, name, preset }: Input,
): Promise<Presets> {
  assertOwner(asker, ownerId)
  const hasRoom = { [`presets.${PRESETS_LIMIT - 1}`]: { $exists: false } }
  const save = (upsert: boolean) =>
    db.presets.findOneAndUpdate(
      { _id: asker._id, $or: [{ 'presets.name': name }, hasRoom] },
      [
        {
          $set: {
            presets: withPreset(name, preset),
            createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
            updatedAt: '$$NOW',
          },
        },
      ],
      { upsert, returnDocument: 'after' },
    )

  // A full list is 10 MB: one at a time of an owner, or few of them would take every connection.
  const saved = await queue.run(presetsKey(asker), () =>
    save(true).catch((error: unknown) => {
      // An owner whose list is full, or was made at this very moment, does not match: the upsert meets the unique id.
      if (error instanceof MongoServerError && error.code === 11_000) return save(false)
      throw error
    }),
  )
  if (saved === null) throw new DomainError('CONFLICT', MESSAGES.presetsFull)
  return toPresets(ownerId, saved)
}
