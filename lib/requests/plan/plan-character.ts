import { ObjectId } from 'mongodb'
import { buildCharacterKeys } from '../../characters/character-keys.ts'
import { CharacterPayload } from '../../contract/character-payload.ts'
import { MESSAGES, POSSIBLE_DUPLICATES_MESSAGE } from '../../contract/messages.ts'
import type { CharacterDocument } from '../../db/collections/characters.ts'
import { DomainError } from '../../errors.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import { withoutNullish } from '../../values/without-nullish.ts'
import type { ApprovalContext } from '../approval/approval-context.ts'
import type { EntryPlan } from '../approval/entry-plan.ts'
import type { RequestsDeps } from '../deps.ts'
import { findExisting } from './find-existing.ts'
import { parsePayload } from './parse-payload.ts'
import { writeCharacter } from './write-character.ts'

type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'failpoint'>

const MAX_DUPLICATES = 20

/** @throws DomainError CONFLICT with the characters that a new one may be */
async function refuseDuplicates(
  { db, failpoint }: PlanDeps,
  { name, akas, gameIds }: Pick<CharacterDocument, 'name' | 'akas' | 'gameIds'>,
): Promise<void> {
  await failpoint('approval:checking-duplicates')
  const { lowerCaseNames } = buildCharacterKeys({ name, ...(akas && { akas }) })
  const found = await db.characters
    .find(
      { lowerCaseNames: { $in: lowerCaseNames }, ...(gameIds?.length && { gameIds: { $in: gameIds } }) },
      { projection: { name: 1, slug: 1 } },
    )
    .sort({ _id: 1 })
    .limit(MAX_DUPLICATES)
    .toArray()
  if (found.length === 0) return
  const duplicates = found.map((each) => ({ _id: each._id.toHexString(), name: each.name, slug: each.slug, score: 1 }))
  throw new DomainError('CONFLICT', POSSIBLE_DUPLICATES_MESSAGE, { duplicates })
}

/**
 * Plans what the approval of a character request writes.
 * @throws DomainError NOT_FOUND, CONFLICT with `duplicates` for a new character that may exist
 */
export async function planCharacter(
  deps: PlanDeps,
  { request, choice, locks, images }: ApprovalContext,
  picked: Readonly<Record<string, unknown>>,
): Promise<EntryPlan> {
  const { mugShot: link, gameIds: proposedGames, ...proposed } = parsePayload(CharacterPayload, picked)
  const fields = withoutNullish(proposed)
  const existing = await findExisting(deps.db.games, proposedGames ?? [])
  const gameIds = proposedGames && distinctIds(proposedGames.flatMap((id) => existing.get(id) ?? []))
  const { name } = fields
  const isNew = request.action === 'add'
  const _id = isNew ? new ObjectId() : request.targetId

  if (!_id || (!isNew && (await deps.db.characters.countDocuments({ _id })) === 0)) {
    throw new DomainError('NOT_FOUND', MESSAGES.characterGone)
  }
  if (isNew && name !== undefined) {
    await locks.lockName(name)
    if (!choice.force) await refuseDuplicates(deps, { ...fields, name, ...(gameIds && { gameIds }) })
  }

  return {
    async copyImages() {
      const mugShot = link === undefined ? null : await images.copyProposed(link, 'characters', _id)
      const written = { ...fields, ...(gameIds && { gameIds }), ...(mugShot !== null && { mugShot }) }
      return (session) => writeCharacter(deps, { _id, isNew, fields: written }, session)
    },
  }
}
