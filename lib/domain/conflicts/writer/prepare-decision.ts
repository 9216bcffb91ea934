import type { ClientSession, ObjectId } from 'mongodb'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { Images } from '#lib/infrastructure/images/images'
import { copyMugShots, type PreparedCharacters } from '../../catalogue/characters/copy-mug-shots.ts'
import type { ResolvedEntry } from '../../catalogue/entries/resolve-entries.ts'
import { copyEntryImages } from '../../catalogue/games/copy-entry-images.ts'
import type { Writes } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame } from '../../catalogue/games/find-linked-game.ts'
import { type ExclusiveSource, findOtherLink, isExclusive } from '../../catalogue/games/linked-ids.ts'
import type { ConflictsDeps } from '../deps.ts'
import { chosenGameId, createdGameId, type QueuedDecision } from './find-decisions.ts'
import type { LoadedEntry } from './load-decisions.ts'

export type Plan =
  /** `message` is a sentence for the admin who decides again. */
  | { action: 'refuse'; message: string }
  /** Writes no game. `winner` has the entry already, null for a skip that links nothing. */
  | { action: 'close'; winner: ObjectId | null }
  /** `loses` is the game that an earlier skip created. */
  | {
      action: 'link'
      gameId: ObjectId
      game: GameDocument
      loses: { gameId: ObjectId; source: ExclusiveSource } | null
      writes: Writes
    }
  | { action: 'create'; gameId: ObjectId }

/** All that one transaction writes: the plan, with the images and characters of the entry. */
export interface PreparedDecision {
  record: QueuedDecision
  plan: Plan
  /** Null where the decision links nothing. */
  entry: LoadedEntry | null
  characters: PreparedCharacters | null
}

const refuse = (message: string): Plan => ({ action: 'refuse', message })
const refuseLinked = (name: string, id: string) => refuse(`${name} is already linked to ${id}`)

interface PlanInput extends Pick<PreparedDecision, 'record' | 'entry'> {
  session?: ClientSession
}

/** The link that an admin chose is always written; parsed fields only where a parse in the background may write them. */
const writesFor = ({ sources }: ConflictsDeps, { source }: QueuedDecision, game: GameDocument): Writes =>
  game.isStopParsing || !sources[source].isOn ? 'link' : 'all'

async function planMatch(
  deps: ConflictsDeps,
  { record, session }: PlanInput,
  { source, id }: ResolvedEntry,
): Promise<Plan> {
  const gameId = chosenGameId(record)
  const game = gameId && (await deps.db.games.findOne({ _id: gameId }, { ...(session && { session }) }))
  if (!game) return refuse('The game no longer exists')
  const other = findOtherLink(game, { source, id })
  if (other !== undefined) return refuseLinked(game.name, other)

  const link = { action: 'link', gameId: game._id, game, loses: null, writes: writesFor(deps, record, game) } as const
  if (!isExclusive(source)) return link
  const owner = await findLinkedGame(deps, { source, id, session })
  if (owner === null || owner._id.equals(game._id)) return link
  if (!owner._id.equals(createdGameId(record))) return refuseLinked(owner.name, id)
  return { ...link, loses: { gameId: owner._id, source } }
}

async function planSkip(deps: ConflictsDeps, { record, session }: PlanInput, entry: ResolvedEntry): Promise<Plan> {
  const { source, id } = entry
  const owner = await findLinkedGame(deps, { source, id, session })
  if (owner !== null) return { action: 'close', winner: owner._id }

  const gameId = createdGameId(record)
  const game = await deps.db.games.findOne({ _id: gameId }, { ...(session && { session }) })
  if (game === null) return { action: 'create', gameId }
  // It was created for this entry once, lost it, and may have another by now.
  const other = findOtherLink(game, entry)
  if (other !== undefined) return refuseLinked(game.name, other)
  return { action: 'link', gameId, game, loses: null, writes: writesFor(deps, record, game) }
}

/** Finds out what a decision does to the catalogue. */
export async function planDecision(deps: ConflictsDeps, input: PlanInput): Promise<Plan> {
  const { record, entry } = input
  if (entry === null) return { action: 'close', winner: null }
  return await (record.decision === 'match' ? planMatch : planSkip)(deps, input, entry.resolved)
}

/** Does all of a decision that waits for the outside: copies the images of its entry, where it writes them. */
export async function prepareDecision(
  deps: ConflictsDeps,
  { record, entry }: Pick<PreparedDecision, 'record' | 'entry'>,
  { imagesMs, signal }: { imagesMs: number; signal: AbortSignal },
): Promise<PreparedDecision> {
  const plan = await planDecision(deps, { record, entry })
  const isWhole = plan.action === 'create' || (plan.action === 'link' && plan.writes === 'all')
  if (entry === null || !isWhole) return { record, plan, entry, characters: null }

  const { gameId } = plan
  const { resolved } = entry
  const game = plan.action === 'link' ? plan.game : null
  const late = AbortSignal.timeout(imagesMs)
  const copy: Images['copy'] = (image) => deps.images.copy({ ...image, late })
  const own = { ...deps, images: { copy } }
  const images = await copyEntryImages(own, { gameId, game, resolved, signal })
  const characters = await copyMugShots(own, { gameId, resolved, signal })
  await deps.failpoint('writer:mug-shots-copied')
  const failedImages = [...images.failedImages, ...characters.failedImages]
  const { source, externalId } = record
  if (failedImages.length > 0) deps.log.warn({ source, externalId, failedImages }, 'images of an entry not copied')
  const copied = { ...resolved, fields: { ...resolved.fields, ...images.fields } }
  return { record, plan, entry: { ...entry, resolved: copied }, characters }
}
