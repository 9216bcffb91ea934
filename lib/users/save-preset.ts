import { type Document, ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { PRESETS_LIMIT, PRESETS_MAX_BYTES } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Preset, Presets } from '../contract/users.ts'
import { isDuplicateKey } from '../db/duplicate-key.ts'
import { DomainError } from '../errors.ts'
import { assertOwner } from './assert-owner.ts'
import type { UsersDeps } from './deps.ts'
import { presetsKey } from './presets-key.ts'
import { toPresets } from './to-wire.ts'

interface SavePresetInput {
  ownerId: string
  asker: SessionUser
  name: string
  preset: Preset
}

interface StoredPreset {
  name: string
  preset: string | ObjectId[]
}

const GAME_ID_BYTES = 24
const LISTED = { $ifNull: ['$presets', []] }
const isNamesake = (path: string, name: string) => ({ $eq: [path, { $literal: name }] })

const countBytes = ({ name, preset }: StoredPreset) =>
  Buffer.byteLength(name) + (typeof preset === 'string' ? Buffer.byteLength(preset) : GAME_ID_BYTES * preset.length)

/** The bytes of the presets that stay beside the saved one. */
function othersBytes(name: string): Document {
  const content = {
    $cond: [
      { $isArray: '$$each.preset' },
      { $multiply: [GAME_ID_BYTES, { $size: { $cond: [{ $isArray: '$$each.preset' }, '$$each.preset', []] } }] },
      { $strLenBytes: { $cond: [{ $isArray: '$$each.preset' }, '', '$$each.preset'] } },
    ],
  }
  const bytes = { $add: [{ $strLenBytes: '$$each.name' }, content] }
  return {
    $sum: { $map: { input: LISTED, as: 'each', in: { $cond: [isNamesake('$$each.name', name), 0, bytes] } } },
  }
}

/** The list with the preset in the place of its namesake, or at the end. Names are data, also those that start with `$`. */
function withPreset({ name, preset }: StoredPreset): Document {
  const saved = { name: { $literal: name }, preset: { $literal: preset } }

  return {
    $cond: [
      { $in: [{ $literal: name }, { $ifNull: ['$presets.name', []] }] },
      { $map: { input: LISTED, as: 'each', in: { $cond: [isNamesake('$$each.name', name), saved, '$$each'] } } },
      { $concatArrays: [LISTED, [saved]] },
    ],
  }
}

/** Answers null when the owner has no presets yet, or no room for this one. */
const replace = ({ db }: Pick<UsersDeps, 'db'>, owner: ObjectId, saved: StoredPreset) =>
  db.presets.findOneAndUpdate(
    {
      _id: owner,
      $or: [{ 'presets.name': saved.name }, { [`presets.${PRESETS_LIMIT - 1}`]: { $exists: false } }],
      $expr: { $lte: [othersBytes(saved.name), PRESETS_MAX_BYTES - countBytes(saved)] },
    },
    [{ $set: { presets: withPreset(saved), updatedAt: '$$NOW' } }],
    { returnDocument: 'after' },
  )

/** An upsert may not compare sizes, so a first preset is saved into an empty list that is there already. */
async function ensureList({ db }: Pick<UsersDeps, 'db'>, owner: ObjectId): Promise<void> {
  const now = new Date()
  const empty = { presets: [], createdAt: now, updatedAt: now }
  await db.presets.updateOne({ _id: owner }, { $setOnInsert: empty }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error
  })
}

async function refuse({ db }: Pick<UsersDeps, 'db'>, owner: ObjectId, name: string): Promise<never> {
  const last = `presets.${PRESETS_LIMIT - 1}`
  const full = await db.presets.countDocuments({ _id: owner, [last]: { $exists: true }, 'presets.name': { $ne: name } })
  throw new DomainError('CONFLICT', full > 0 ? MESSAGES.presetsFull : MESSAGES.presetsTooLarge)
}

/** Saves a preset under its name, replacing the one of that name. @throws FORBIDDEN, CONFLICT */
export async function savePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  { ownerId, asker, name, preset }: SavePresetInput,
): Promise<Presets> {
  assertOwner(asker, ownerId)
  const saved = { name, preset: typeof preset === 'string' ? preset : preset.map((gameId) => new ObjectId(gameId)) }

  // A full list is 1 MB: one at a time of an owner, or few of them would take every connection.
  const stored = await deps.queue.run(presetsKey(asker), async () => {
    const replaced = await replace(deps, asker._id, saved)
    if (replaced !== null) return replaced
    await ensureList(deps, asker._id)
    return await replace(deps, asker._id, saved)
  })
  if (stored === null) return await refuse(deps, asker._id, name)
  return toPresets(ownerId, stored)
}
