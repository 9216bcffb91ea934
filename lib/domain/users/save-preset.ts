import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { PRESETS_LIMIT, PRESETS_MAX_BYTES } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Preset, Presets } from '../../contract/users.ts'
import type { PresetsDocument } from '../../infrastructure/db/collections/presets.ts'
import type { Actor } from '../auth/actor.ts'
import type { UsersDeps } from './deps.ts'
import { inPresetsTurn, toPresets } from './presets.ts'

type StoredPreset = PresetsDocument['presets'][number]

const GAME_ID_BYTES = 24

const countBytes = ({ name, preset }: StoredPreset) =>
  Buffer.byteLength(name) + (Array.isArray(preset) ? GAME_ID_BYTES * preset.length : Buffer.byteLength(String(preset)))

function withPreset(presets: readonly StoredPreset[], saved: StoredPreset): StoredPreset[] {
  const index = presets.findIndex(({ name }) => name === saved.name)
  const changed = index === -1 ? [...presets, saved] : presets.with(index, saved)
  if (changed.length > PRESETS_LIMIT) throw new DomainError('CONFLICT', MESSAGES.presetsFull)
  const bytes = changed.reduce((sum, other) => sum + countBytes(other), 0)
  if (bytes > PRESETS_MAX_BYTES) throw new DomainError('CONFLICT', MESSAGES.presetsTooLarge)
  return changed
}

/** Saves a preset, and replaces the one of that name. @throws FORBIDDEN, CONFLICT */
export async function savePreset(
  deps: Pick<UsersDeps, 'db' | 'queue'>,
  actor: Actor,
  { ownerId, name, preset }: { ownerId: string; name: string; preset: Preset },
): Promise<Presets> {
  const { db } = deps
  const saved = { name, preset: typeof preset === 'string' ? preset : preset.map((gameId) => new ObjectId(gameId)) }
  const owner = { _id: actor.user._id }

  async function replace(session: ClientSession) {
    const stored = await db.presets.findOne(owner, { session })
    const presets = withPreset(stored?.presets ?? [], saved)
    await db.presets.updateOne(
      owner,
      { $set: { presets }, $currentDate: { updatedAt: true }, $setOnInsert: { createdAt: new Date() } },
      { upsert: true, session },
    )
    return presets
  }
  // A full list is 1 MB: without turns, few requests would take every connection.
  const presets = await inPresetsTurn(deps, actor, ownerId, () => db.transaction(replace))
  return toPresets(ownerId, { presets })
}
