import type { ClientSession, ObjectId } from 'mongodb'
import { copyMugShots, type PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import type { Writes } from '../../games/entry-changes.ts'
import { findLinkedGame } from '../../games/find-linked-game.ts'
import { type ExclusiveSource, findOtherLink, isExclusive } from '../../games/linked-ids.ts'
import { ImageError } from '../../images/image-error.ts'
import { createImagesInTime } from '../../images/images-in-time.ts'
import type { WriterDeps } from './deps.ts'
import { chosenGameId, createdGameId, type QueuedDecision } from './find-decisions.ts'

/** The change that a decision makes to the catalogue as it is stored now. */
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
  resolved: ResolvedEntry | null
  characters: PreparedCharacters | null
}

const refuse = (message: string): Plan => ({ action: 'refuse', message })
const refuseLinked = (name: string, id: string) => refuse(`${name} is already linked to ${id}`)

/** A decision with its entry, and the transaction in which the catalogue is read. */
interface PlanInput {
  record: QueuedDecision
  resolved: ResolvedEntry | null
  session?: ClientSession
}

/** The link that an admin chose is always written; parsed fields only where a parse in the background may write them. */
const writesFor = ({ sources }: WriterDeps, { source }: QueuedDecision, game: GameDocument): Writes =>
  game.isStopParsing || !sources[source].isOn ? 'link' : 'all'

async function planMatch(
  deps: WriterDeps,
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

async function planSkip(deps: WriterDeps, { record, session }: PlanInput, entry: ResolvedEntry): Promise<Plan> {
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
export async function planDecision(deps: WriterDeps, input: PlanInput): Promise<Plan> {
  const { record, resolved } = input
  if (resolved === null) return { action: 'close', winner: null }
  return await (record.decision === 'match' ? planMatch : planSkip)(deps, input, resolved)
}

/** Copies the images of one decision within its time, and logs which are left out. */
function imagesWithin(
  { images, log, failpoint }: WriterDeps,
  record: QueuedDecision,
  ms: number,
): WriterDeps['images'] {
  const { source, externalId } = record
  const inTime = createImagesInTime(images, ms)
  return {
    async copy(input) {
      try {
        const copied = await inTime.copy(input)
        if (input.folder === 'characters') await failpoint('writer:mug-shot-copied')
        return copied
      } catch (error) {
        const facts = { err: error, source, externalId, link: input.link }
        if (error instanceof ImageError) log.warn(facts, 'an image of an entry could not be copied')
        throw error
      }
    },
  }
}

interface PrepareInput {
  record: QueuedDecision
  resolved: ResolvedEntry | null
  /** All downloads share this time; images that have not arrived by then are left out. */
  imagesMs: number
  signal: AbortSignal
}

/** Does all of a decision that waits for the outside: copies the images of its entry, where it writes them. */
export async function prepareDecision(
  deps: WriterDeps,
  { record, resolved, imagesMs, signal }: PrepareInput,
): Promise<PreparedDecision> {
  const plan = await planDecision(deps, { record, resolved })
  const isWhole = plan.action === 'create' || (plan.action === 'link' && plan.writes === 'all')
  if (resolved === null || !isWhole) return { record, plan, resolved, characters: null }

  const { gameId } = plan
  const game = plan.action === 'link' ? plan.game : null
  const own = { ...deps, images: imagesWithin(deps, record, imagesMs) }
  const { fields } = await copyEntryImages(own, { gameId, game, resolved, signal })
  const characters = await copyMugShots(own, { gameId, resolved, signal })
  return { record, plan, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } }, characters }
}
