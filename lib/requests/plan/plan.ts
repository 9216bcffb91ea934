import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { MESSAGES } from '../../contract/messages.ts'
import { CharacterPayload } from '../../contract/proposals/character-payload.ts'
import { GamePayload } from '../../contract/proposals/game-payload.ts'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import { DomainError } from '../../errors.ts'
import { distinctIds } from '../../values/distinct-ids.ts'
import { withoutNullish } from '../../values/without-nullish.ts'
import { assertNoDuplicates, type NewEntry } from './assert-no-duplicates.ts'
import { chooseGame } from './choose-game.ts'
import type { CharacterPlan, GamePlan, PlanDeps, PlanInput } from './plan-types.ts'
import { readLinks } from './read-links.ts'
import { findExisting, resolveProposal } from './resolve-proposal.ts'

/**
 * Reads picked fields of a stored payload by their contract; ids may be stored as such.
 * @throws DomainError INVALID for a payload that was not stored by this service
 */
function parsePayload<S extends z.ZodType>(schema: S, payload: Readonly<Record<string, unknown>>): z.output<S> {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(payload)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new DomainError('INVALID', issue ? `${issue.path.join('.')}: ${issue.message}` : 'Invalid payload')
}

async function planGame(deps: PlanDeps, { payload: picked, lockSync, ...input }: PlanInput): Promise<GamePlan> {
  const payload = parsePayload(GamePayload, picked)
  const planning = { ...input, warnings: [] }
  const { game, isNew, newEntry, links, ids } = await chooseGame(deps, planning, payload)
  const { entries, achievements } = await readLinks(deps, planning, { game, ids })
  return {
    kind: 'game',
    gameId: game._id,
    draft: isNew ? game : null,
    newEntry,
    entries: [...links, ...entries],
    achievements,
    proposal: await resolveProposal(deps, { gameId: game._id, payload }),
    imageLinks: payload,
    lockSync,
    warnings: planning.warnings,
  }
}

async function planCharacter(
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

/** What an approval is about to write. Nothing is written or stored yet. */
export type Plan = GamePlan | CharacterPlan

/**
 * Plans what the approval of a request writes: finds its entry or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY, the signal's reason
 */
export const plan = (
  deps: PlanDeps,
  { kind, ...input }: PlanInput & Pick<ContentRequestDocument, 'kind'>,
): Promise<Plan> => (kind === 'game' ? planGame(deps, input) : planCharacter(deps, input))
