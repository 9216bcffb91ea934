import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { PRESETS_LIMIT, PRESETS_MAX_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Preset, Presets } from '../../contract/users.ts'
import type { PresetsDocument } from '../../infrastructure/db/collections/presets.ts'
import { id, readableArray } from '../../infrastructure/db/readable-documents.ts'
import type { Actor } from '../auth/actor.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { UsersDeps } from './deps.ts'

type StoredPreset = PresetsDocument['presets'][number]

const GAME_ID_BYTES = 24

/** Refuses everybody but the owner of presets, whatever the role. @throws FORBIDDEN */
function assertOwner(user: SessionUser, ownerId: string): void {
  if (user._id.toHexString() !== ownerId) throw new DomainError('FORBIDDEN', MESSAGES.presetsNotYours)
}

const gameIds = readableArray(id.transform((gameId) => gameId.toHexString()))

export const toPresets = (userId: string, stored: Pick<PresetsDocument, 'presets'> | null): Presets => ({
  _id: userId,
  presets: (stored?.presets ?? []).flatMap(({ name, preset }) => {
    if (typeof preset === 'string') return { name, preset }
    return Array.isArray(preset) ? { name, preset: gameIds.parse(preset) } : []
  }),
})

/** Lists the viewer's presets. @throws FORBIDDEN */
export async function listPresets(
  { db }: Pick<UsersDeps, 'db'>,
  { ownerId, viewer }: { ownerId: string; viewer: SessionUser },
): Promise<Presets> {
  assertOwner(viewer, ownerId)
  return toPresets(ownerId, await db.presets.findOne({ _id: viewer._id }))
}

/** Changes the list of the actor after all earlier changes of it; the same list is not written again. @throws FORBIDDEN */
async function changePresets(
  { db, queue }: Pick<UsersDeps, 'db' | 'queue'>,
  { user, isGone }: Actor,
  ownerId: string,
  toChanged: (presets: StoredPreset[]) => StoredPreset[],
): Promise<Presets> {
  assertOwner(user, ownerId)
  const owner = { _id: user._id }
  async function write(session: ClientSession) {
    const stored = await db.presets.findOne(owner, { session })
    const before = stored?.presets ?? []
    const presets = toChanged(before)
    if (presets === before) return before
    await db.presets.updateOne(
      owner,
      { $set: { presets }, $currentDate: { updatedAt: true }, $setOnInsert: { createdAt: new Date() } },
      { upsert: true, session },
    )
    return presets
  }
  // A full list is 1 MB: without turns, few requests would take every connection.
  const presets = await queue.run(`presets ${ownerId}`, () => db.transaction(write), { isGone })
  return toPresets(ownerId, { presets })
}

const countBytes = ({ name, preset }: StoredPreset) =>
  Buffer.byteLength(name) + (Array.isArray(preset) ? GAME_ID_BYTES * preset.length : Buffer.byteLength(String(preset)))

/** Saves a preset, and replaces the one of that name. @throws FORBIDDEN, CONFLICT */
export async function savePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  actor: Actor,
  { ownerId, name, preset }: { ownerId: string; name: string; preset: Preset },
): Promise<Presets> {
  const saved = { name, preset: typeof preset === 'string' ? preset : preset.map((gameId) => new ObjectId(gameId)) }
  return await changePresets(deps, actor, ownerId, (presets) => {
    const index = presets.findIndex((other) => other.name === name)
    const changed = index === -1 ? [...presets, saved] : presets.with(index, saved)
    if (changed.length > PRESETS_LIMIT) throw new DomainError('CONFLICT', MESSAGES.presetsFull)
    const bytes = changed.reduce((sum, other) => sum + countBytes(other), 0)
    if (bytes > PRESETS_MAX_BYTES) throw new DomainError('CONFLICT', MESSAGES.presetsTooLarge)
    return changed
  })
}

/** Removes the actor's preset of a name. A missing one is no error. @throws FORBIDDEN */
export const deletePreset = (
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  actor: Actor,
  { ownerId, name }: { ownerId: string; name: string },
): Promise<Presets> =>
  changePresets(deps, actor, ownerId, (presets) => {
    const left = presets.filter((preset) => preset.name !== name)
    return left.length === presets.length ? presets : left
  })
