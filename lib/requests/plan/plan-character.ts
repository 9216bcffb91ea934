import { ObjectId } from 'mongodb'
import { CharacterPayload } from '../../contract/character-payload.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import { withoutNullish } from '../../values/without-nullish.ts'
import { assertNoDuplicates, type NewEntry } from './assert-no-duplicates.ts'
import type { CharacterPlan } from './character-plan.ts'
import { findExisting } from './find-existing.ts'
import { parsePayload } from './parse-payload.ts'
import type { PlanDeps, PlanInput } from './plan-input.ts'

/**
 * Plans what the approval of a character request writes.
 * @throws DomainError NOT_FOUND, CONFLICT with `duplicates` for a new character that may exist
 */
export async function planCharacter(
  deps: Pick<PlanDeps, 'db' | 'failpoint'>,
  { action, targetId, payload, force }: PlanInput,
): Promise<CharacterPlan> {
  const { mugShot: mugShotLink, gameIds: proposedGames, ...proposed } = parsePayload(CharacterPayload, payload)
  const existing = await findExisting(deps.db.games, proposedGames ?? [])
  const gameIds = proposedGames && distinctIds(proposedGames.flatMap((id) => existing.get(id) ?? []))
  const fields = { ...withoutNullish(proposed), ...(gameIds && { gameIds }) }

  if (action === 'update') {
    const stored = targetId && (await deps.db.characters.findOne({ _id: targetId }, { projection: { _id: 1 } }))
    if (!stored) throw new DomainError('NOT_FOUND', MESSAGES.characterGone)
    return { kind: 'character', _id: stored._id, newEntry: null, fields, mugShotLink, warnings: [] }
  }
  const { name } = fields
  if (name === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
  const newEntry: NewEntry = { kind: 'character', isForced: force, fields: { ...fields, name } }
  await assertNoDuplicates(deps, newEntry)
  return { kind: 'character', _id: new ObjectId(), newEntry, fields, mugShotLink, warnings: [] }
}
