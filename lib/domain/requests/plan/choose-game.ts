import { ObjectId } from 'mongodb'
import { DomainError } from '#lib/base/errors'
import { MESSAGES, POSSIBLE_DUPLICATES_MESSAGE } from '#lib/contract/messages'
import type { GamePayload } from '#lib/contract/proposals/game-payload'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import type { GameFacts } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame } from '../../catalogue/games/linked-ids.ts'
import { assertNoDuplicates, type NewEntry } from '../assert-no-duplicates.ts'
import { notParsed, ownedBy } from '../link-warnings.ts'
import type { Link, PlanDeps, Planning, SourceIds } from '../plan-types.ts'
import { readEntry } from './read-links.ts'

interface ChosenGame {
  game: GameFacts
  isNew: boolean
  links: readonly Link[]
  /** A new game that is made by hand; null for one of the catalogue, or of IGDB. */
  newEntry: NewEntry | null
  ids: SourceIds
}

async function chooseTarget({ db }: PlanDeps, { targetId }: Planning, ids: SourceIds): Promise<ChosenGame> {
  const stored = targetId ? await db.games.findOne({ _id: targetId }) : null
  if (stored === null) throw new DomainError('NOT_FOUND', MESSAGES.gameGone)
  return { game: stored, isNew: false, newEntry: null, links: [], ids }
}

/** The game of the catalogue that has the entry, or a new one created from it; null where it could not be read. */
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

/** A new game that has no name but the title of its VNDB entry. */
async function chooseByVndb(deps: PlanDeps, planning: Planning, payload: GamePayload): Promise<ChosenGame> {
  const { vndbId, ...others } = payload
  if (vndbId === undefined) throw new DomainError('INVALID', MESSAGES.newEntryLosesName)
  const entry = { source: 'vndb', id: vndbId } as const
  const owner = await findLinkedGame(deps, entry)
  if (owner !== null && !planning.force) {
    const duplicates = [{ _id: owner._id.toHexString(), name: owner.name, slug: owner.slug, score: 100 }]
    throw new DomainError('CONFLICT', POSSIBLE_DUPLICATES_MESSAGE, { duplicates })
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
 * Finds the game that an approval writes, or decides to create one and how it is named; nothing is written.
 * @throws DomainError NOT_FOUND when the target is gone, CONFLICT with `duplicates` for a new game that may exist, BAD_GATEWAY
 * when the source that has to name it gave nothing
 */
export async function chooseGame(deps: PlanDeps, planning: Planning, payload: GamePayload): Promise<ChosenGame> {
  if (planning.action === 'update') return await chooseTarget(deps, planning, payload)
  const { name } = payload
  return (
    (await chooseByIgdb(deps, planning, payload)) ??
    (name === undefined
      ? await chooseByVndb(deps, planning, payload)
      : await chooseByName(deps, planning, { ...payload, name }))
  )
}
