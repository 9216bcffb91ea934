import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '#lib/base/errors'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { MESSAGES } from '#lib/contract/messages'
import { CharacterPayload } from '#lib/contract/proposals/character-payload'
import { GamePayload } from '#lib/contract/proposals/game-payload'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { GameFacts } from '../../catalogue/games/entry-changes.ts'
import { listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import { assertNoDuplicates, type NewEntry } from '../assert-no-duplicates.ts'
import type { CharacterPlan, GamePlan, Link, Plan, PlanDeps, PlanInput } from '../plan-types.ts'
import { chooseGame } from './choose-game.ts'
import { readLinks } from './read-links.ts'
import { describeMissing, findExisting, resolveProposal } from './resolve-proposal.ts'

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

const LINK_FIELDS = [
  ['igdbId', 'igdb'],
  ['vndbId', 'vndb'],
  ['hltbId', 'hltb'],
] as const

/** Ids of a payload to whose entries the game is not linked, neither before nor by the approval. */
const findUnlinked = (payload: GamePayload, game: GameFacts, entries: readonly Link[]): string[] =>
  LINK_FIELDS.flatMap(([field, source]) => {
    const id = payload[field]
    const isLinked =
      entries.some(({ resolved }) => resolved.source === source) || listLinkedIds(game, source).includes(String(id))
    return id === undefined || isLinked ? [] : field
  })

async function planGame(deps: PlanDeps, { payload: picked, lockSync, ...input }: PlanInput): Promise<GamePlan> {
  const payload = parsePayload(GamePayload, picked)
  const planning = { ...input, warnings: [] }
  const { game, isNew, newEntry, links, ids } = await chooseGame(deps, planning, payload)
  const { entries, achievements } = await readLinks(deps, planning, { game, ids })
  const allEntries = [...links, ...entries]
  const { proposal, droppedFields, warnings } = await resolveProposal(deps, { gameId: game._id, payload })
  return {
    kind: 'game',
    gameId: game._id,
    draft: isNew ? game : null,
    newEntry,
    entries: allEntries,
    achievements,
    proposal,
    imageLinks: payload,
    lockSync,
    droppedFields: [...droppedFields, ...findUnlinked(payload, game, allEntries)],
    warnings: [...planning.warnings, ...warnings],
  }
}

async function planCharacter(
  deps: Pick<PlanDeps, 'db' | 'failpoint'>,
  { action, targetId, payload, force }: PlanInput,
): Promise<CharacterPlan> {
  const { mugShot: mugShotLink, gameIds: proposedGames, ...proposed } = parsePayload(CharacterPayload, payload)
  const existing = await findExisting(deps.db.games, proposedGames ?? [])
  const gameIds = distinctIds((proposedGames ?? []).flatMap((id) => existing.get(id) ?? []))
  const fields = { ...withoutEmpty(proposed), ...(gameIds.length > 0 && { gameIds }) }
  const notes = {
    droppedFields: proposedGames !== undefined && gameIds.length === 0 ? ['gameIds'] : [],
    warnings: describeMissing('game', { gameIds: proposedGames ?? [] }, existing),
  }

  if (action === 'update') {
    const stored = targetId && (await deps.db.characters.findOne({ _id: targetId }, { projection: { _id: 1 } }))
    if (!stored) throw new DomainError('NOT_FOUND', MESSAGES.characterGone)
    return { kind: 'character', _id: stored._id, newEntry: null, fields, mugShotLink, ...notes }
  }
  const { name } = fields
  if (name === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
  const newEntry: NewEntry = { kind: 'character', isForced: force, fields: { ...fields, name } }
  await assertNoDuplicates(deps, newEntry)
  return { kind: 'character', _id: new ObjectId(), newEntry, fields, mugShotLink, ...notes }
}

/**
 * Plans what the approval of a request writes: finds its entry or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY, the signal's reason
 */
export const plan = (
  deps: PlanDeps,
  { kind, ...input }: PlanInput & Pick<ContentRequestDocument, 'kind'>,
): Promise<Plan> => (kind === 'game' ? planGame(deps, input) : planCharacter(deps, input))
