import { type ClientSession, ObjectId } from 'mongodb'
import { buildCharacterKeys } from '../../characters/character-keys.ts'
import { insertCharacter } from '../../characters/insert-character.ts'
import { MESSAGES, POSSIBLE_DUPLICATES_MESSAGE } from '../../contract/messages.ts'
import { CharacterPayload } from '../../contract/requests.ts'
import type { CharacterDocument } from '../../db/collections/characters.ts'
import { DomainError } from '../../errors.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import { withoutNullish } from '../../values/without-nullish.ts'
import type { Approval, PlannedWrite, WrittenEntry } from '../approval/approval-context.ts'
import type { RequestsDeps } from '../deps.ts'
import { findExisting } from '../find-existing.ts'
import { parsePayload } from '../parse-payload.ts'

type PlanDeps = Pick<RequestsDeps, 'db' | 'clock'>
type CharacterFields = Partial<Omit<CharacterDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt'>>

const MOST_DUPLICATES = 20

/** @throws DomainError CONFLICT with the characters that a new one may be */
async function refuseDuplicates(
  { db }: PlanDeps,
  { name, akas, gameIds }: Pick<CharacterDocument, 'name' | 'akas' | 'gameIds'>,
): Promise<void> {
  const { lowerCaseNames } = buildCharacterKeys({ name, ...(akas && { akas }) })
  const found = await db.characters
    .find(
      { lowerCaseNames: { $in: lowerCaseNames }, ...(gameIds?.length && { gameIds: { $in: gameIds } }) },
      { projection: { name: 1, slug: 1 } },
    )
    .sort({ _id: 1 })
    .limit(MOST_DUPLICATES)
    .toArray()
  if (found.length === 0) return
  const duplicates = found.map((each) => ({ _id: each._id.toHexString(), name: each.name, slug: each.slug, score: 1 }))
  throw new DomainError('CONFLICT', POSSIBLE_DUPLICATES_MESSAGE, { duplicates })
}

async function changeCharacter(
  { db }: PlanDeps,
  _id: ObjectId,
  { gameIds = [], ...fields }: CharacterFields,
  session: ClientSession,
): Promise<WrittenEntry> {
  const stored = await db.characters.findOne({ _id }, { session })
  if (stored === null) throw new DomainError('NOT_FOUND', MESSAGES.characterGone)

  // A change by somebody else in between ends the transaction, which then begins again.
  const changed = { ...stored, ...fields }
  const listed = new Set((stored.gameIds ?? []).map(String))
  const added = gameIds.filter((id) => !listed.has(String(id)))
  await db.characters.updateOne(
    { _id },
    {
      $set: {
        ...fields,
        ...buildCharacterKeys(changed),
        ...(added.length > 0 && { gameIds: [...(stored.gameIds ?? []), ...added] }),
      },
      $currentDate: { updatedAt: true },
    },
    { session },
  )
  const isReplaced = fields.mugShot !== undefined && stored.mugShot !== fields.mugShot
  return {
    resultId: _id,
    images: stringsIn([changed.mugShot]),
    replacedImages: isReplaced ? stringsIn([stored.mugShot]) : [],
  }
}

/**
 * Plans what the approval of a character request writes; its mug shot is copied here.
 * @throws DomainError CONFLICT with `duplicates` for a new character that may exist
 */
export async function planCharacter(deps: PlanDeps, approval: Approval): Promise<PlannedWrite> {
  const { request, payload, force } = approval
  const { mugShot: link, gameIds: wanted, ...proposed } = parsePayload(CharacterPayload, payload)
  const fields = withoutNullish(proposed)
  const existing = await findExisting(deps.db.games, wanted ?? [])
  const gameIds = wanted && distinctIds(wanted.flatMap((id) => existing.get(id) ?? []))
  const { name } = fields
  const isNew = request.action === 'add'
  const _id = isNew ? new ObjectId() : request.targetId

  if (!_id || (!isNew && (await deps.db.characters.countDocuments({ _id })) === 0)) {
    throw new DomainError('NOT_FOUND', MESSAGES.characterGone)
  }
  if (isNew && name !== undefined) {
    await approval.holdName(name)
    if (!force) await refuseDuplicates(deps, { ...fields, name, ...(gameIds && { gameIds }) })
  }
  const mugShot = link === undefined ? null : await approval.copyProposed(link, 'characters', _id)
  const written = { ...fields, ...(gameIds && { gameIds }), ...(mugShot !== null && { mugShot }) }

  return {
    async write(session) {
      if (!isNew) return await changeCharacter(deps, _id, written, session)
      if (name === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
      const { mugShot: image } = await insertCharacter(deps, { ...written, _id, name }, { session })
      return { resultId: _id, images: stringsIn([image]), replacedImages: [] }
    },
  }
}
