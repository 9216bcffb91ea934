import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '#lib/base/errors'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { withoutEmpty } from '#lib/base/values/without-empty'
import { CharacterPayload, GamePayload, MESSAGES, type RequestDecisionBody } from '#lib/contract/index'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import type { GameFacts } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame, listLinkedIds } from '../../catalogue/games/linked-ids.ts'
import { assertNoDuplicates, type NewEntry } from '../assert-no-duplicates.ts'
import { notParsed, ownedBy } from '../link-warnings.ts'
import { type Link, type PlanDeps, readEntry, readLinks, type SourceIds } from './read-links.ts'
import { describeMissing, findExisting, resolveProposal } from './resolve-proposal.ts'

type PlanInput = Pick<ContentRequestDocument, 'action' | 'targetId' | 'payload'> &
  Pick<RequestDecisionBody, 'lockSync' | 'force'> & { signal: AbortSignal }

type Planning = Pick<PlanInput, 'action' | 'targetId' | 'force' | 'signal'> & { warnings: string[] }

interface ChosenGame {
  game: GameFacts
  isNew: boolean
  links: readonly Link[]
  /** A new game that is made by hand; null for one of the catalogue, or of IGDB. */
  newEntry: NewEntry | null
  ids: SourceIds
}

/** Chooses the game that has the entry, or a new game of the entry; null where the entry could not be read. */
async function chooseByIgdb(deps: PlanDeps, planning: Planning, payload: GamePayload): Promise<ChosenGame | null> {
  const { igdbId, ...ids } = payload
  if (igdbId === undefined) return null
  const entry = { source: 'igdb', id: String(igdbId) } as const
  const owner = await findLinkedGame(deps, entry)
  if (owner !== null) return { game: owner, isNew: false, newEntry: null, links: [], ids }

  const resolved = await readEntry(deps, { ...entry, signal: planning.signal })
  if (!(resolved instanceof SourceError)) {
    const game = { _id: new ObjectId(), name: resolved.fields.name }
    return { game, isNew: true, newEntry: null, links: [{ resolved, writes: 'all' }], ids }
  }
  const sentence = notParsed(entry, resolved)
  if (payload.name === undefined && payload.vndbId === undefined) throw new DomainError('BAD_GATEWAY', sentence)
  planning.warnings.push(sentence)
  return null
}

/** Chooses a new game that is named by the payload, or by an entry. */
async function chooseByName(
  deps: PlanDeps,
  planning: Planning,
  { igdbId: _, ...fields }: GamePayload & { name: string },
): Promise<ChosenGame> {
  const newEntry: NewEntry = { kind: 'game', isForced: planning.force, fields }
  await assertNoDuplicates(deps, newEntry)
  const game = { _id: new ObjectId(), name: fields.name, isCustom: true }
  return { game, isNew: true, newEntry, links: [], ids: fields }
}

/** Chooses a new game that is named by its VNDB entry. */
async function chooseByVndb(deps: PlanDeps, planning: Planning, payload: GamePayload): Promise<ChosenGame> {
  const { vndbId, ...others } = payload
  if (vndbId === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
  const entry = { source: 'vndb', id: vndbId } as const
  const owner = await findLinkedGame(deps, entry)
  if (owner !== null && !planning.force) {
    const duplicates = [{ _id: owner._id.toHexString(), name: owner.name, slug: owner.slug, score: 100 }]
    throw new DomainError('CONFLICT', MESSAGES.possibleDuplicates, { duplicates })
  }

  const resolved = await readEntry(deps, { ...entry, signal: planning.signal })
  if (resolved instanceof SourceError) throw new DomainError('BAD_GATEWAY', notParsed(entry, resolved))
  const { name, alternative_names } = resolved.fields
  const chosen = await chooseByName(deps, planning, { alternative_names, ...others, name })
  if (owner === null) return { ...chosen, links: [{ resolved, writes: 'all' }] }
  planning.warnings.push(ownedBy(entry, owner))
  return chosen
}

/**
 * Chooses the game that an approval writes, or a new one and its name. Writes nothing.
 * @throws DomainError NOT_FOUND when the target is gone, CONFLICT with `duplicates` for a new game that may exist, BAD_GATEWAY
 * when the source that has to name it gave nothing
 */
async function chooseGame(deps: PlanDeps, planning: Planning, payload: GamePayload): Promise<ChosenGame> {
  const { action, targetId } = planning
  if (action === 'update') {
    const game = targetId ? await deps.db.games.findOne({ _id: targetId }) : null
    if (game === null) throw new DomainError('NOT_FOUND', MESSAGES.gameGone)
    return { game, isNew: false, newEntry: null, links: [], ids: payload }
  }
  const { name } = payload
  const chosen = await chooseByIgdb(deps, planning, payload)
  if (chosen !== null) return chosen
  if (name === undefined) return await chooseByVndb(deps, planning, payload)
  return await chooseByName(deps, planning, { ...payload, name })
}

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

/** Lists the fields of ids that the game is not linked to, neither before the approval nor by it. */
const findUnlinked = (payload: GamePayload, game: GameFacts, entries: readonly Link[]): string[] =>
  LINK_FIELDS.flatMap(([field, source]) => {
    const id = payload[field]
    const isLinked =
      entries.some(({ resolved }) => resolved.source === source) || listLinkedIds(game, source).includes(String(id))
    return id === undefined || isLinked ? [] : field
  })

async function planGame(deps: PlanDeps, { payload: picked, lockSync, ...input }: PlanInput) {
  const payload = parsePayload(GamePayload, picked)
  const planning: Planning = { ...input, warnings: [] }
  const { game, isNew, newEntry, links, ids } = await chooseGame(deps, planning, payload)
  const entries = [...links, ...(await readLinks(deps, planning, { game, ids }))]
  const { proposal, droppedFields, warnings } = await resolveProposal(deps, { gameId: game._id, payload })
  return {
    kind: 'game' as const,
    gameId: game._id,
    draft: isNew ? game : null,
    newEntry,
    entries,
    proposal,
    imageLinks: payload,
    lockSync,
    droppedFields: [...droppedFields, ...findUnlinked(payload, game, entries)],
    warnings: [...planning.warnings, ...warnings],
  }
}

async function planCharacter(deps: PlanDeps, { action, targetId, payload, force }: PlanInput) {
  const { mugShot: mugShotLink, gameIds: proposedGames, ...proposed } = parsePayload(CharacterPayload, payload)
  const existing = await findExisting(deps.db.games, proposedGames ?? [])
  const gameIds = distinctIds((proposedGames ?? []).flatMap((id) => existing.get(id) ?? []))
  const fields = { ...withoutEmpty(proposed), ...(gameIds.length > 0 && { gameIds }) }
  const planned = {
    kind: 'character' as const,
    fields,
    mugShotLink,
    droppedFields: proposedGames !== undefined && gameIds.length === 0 ? ['gameIds'] : [],
    warnings: describeMissing('game', { gameIds: proposedGames ?? [] }, existing),
  }

  if (action === 'update') {
    const stored = targetId && (await deps.db.characters.findOne({ _id: targetId }, { projection: { _id: 1 } }))
    if (!stored) throw new DomainError('NOT_FOUND', MESSAGES.characterGone)
    return { ...planned, _id: stored._id, newEntry: null }
  }
  const { name } = fields
  if (name === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
  const newEntry: NewEntry = { kind: 'character', isForced: force, fields: { ...fields, name } }
  await assertNoDuplicates(deps, newEntry)
  return { ...planned, _id: new ObjectId(), newEntry }
}

export type GamePlan = Awaited<ReturnType<typeof planGame>>
export type CharacterPlan = Awaited<ReturnType<typeof planCharacter>>

/**
 * Plans what the approval of a request writes: finds its entry or decides to create one, and reads the sources.
 * @throws DomainError NOT_FOUND, CONFLICT (with `duplicates` for a new entry that may exist), BAD_GATEWAY, the signal's reason
 */
export const plan = (
  deps: PlanDeps,
  { kind, ...input }: PlanInput & Pick<ContentRequestDocument, 'kind'>,
): Promise<GamePlan | CharacterPlan> => (kind === 'game' ? planGame(deps, input) : planCharacter(deps, input))
