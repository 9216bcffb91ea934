import type { ClientSession, ObjectId } from 'mongodb'
import { SOURCE_TITLES } from '#lib/contract/sources'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { StorageError } from '#lib/infrastructure/storage/storage'
import type { ResolvedEntry } from '../../catalogue/entries/resolve-entries.ts'
import type { Writes } from '../../catalogue/games/entry-changes.ts'
import { findLinkedGame, findOtherLink, isExclusive } from '../../catalogue/games/linked-ids.ts'
import type { ConflictsDeps } from '../deps.ts'
import { chosenEntryId, chosenGameId, createdGameId, type QueuedDecision } from './find-decisions.ts'
import type { LoadedDecision } from './load-decisions.ts'

export type Plan =
  /** `message` is a sentence for the admin who decides again. */
  | { action: 'refuse'; message: string }
  /** Writes no game. `winner` has the entry already, null for a skip that links nothing. */
  | { action: 'close'; winner: ObjectId | null }
  | GameWrite

interface GameWrite {
  action: 'write'
  gameId: ObjectId
  /** Null for a game that is created. */
  game: GameDocument | null
  resolved: ResolvedEntry
  writes: Writes
  /** The game that an earlier skip created, which loses the entry. */
  loser?: ObjectId
}

/** A plan that writes all fields of an entry, its images and characters included. */
export const isWhole = (plan: Plan): plan is GameWrite => plan.action === 'write' && plan.writes !== 'link'

type PlanDeps = Pick<ConflictsDeps, 'db' | 'sources'>

const refuse = (message: string): Plan => ({ action: 'refuse', message })
const refuseLinked = (name: string, id: string) => refuse(`${name} is already linked to ${id}`)

function describeFailure(record: QueuedDecision, error: Error): string {
  const title = `${SOURCE_TITLES[record.source]} ${chosenEntryId(record)}`.trimEnd()
  if (error instanceof SourceError) return `${title} could not be read: ${error.message}`
  if (error instanceof StorageError) return `The images of ${title} could not be stored: ${error.message}`
  return `${title} could not be written because of a fault of this service`
}

/** The link that an admin chose is always written; parsed fields only where a parse in the background may write them. */
const writesFor = ({ sources }: PlanDeps, { source }: QueuedDecision, game: GameDocument): Writes =>
  game.isStopParsing || !sources[source].isOn ? 'link' : 'uncurated'

type PlanDecision = (
  deps: PlanDeps,
  record: QueuedDecision,
  resolved: ResolvedEntry,
  session?: ClientSession,
) => Promise<Plan>

const planMatch: PlanDecision = async (deps, record, resolved, session) => {
  const { source, id } = resolved
  const gameId = chosenGameId(record)
  const game = gameId && (await deps.db.games.findOne({ _id: gameId }, { ...(session && { session }) }))
  if (!game) return refuse('The game no longer exists')
  const other = findOtherLink(game, { source, id })
  if (other !== undefined) return refuseLinked(game.name, other)

  const write = { action: 'write', gameId: game._id, game, resolved, writes: writesFor(deps, record, game) } as const
  const owner = isExclusive(source) ? await findLinkedGame(deps, { source, id, session }) : null
  if (owner === null || owner._id.equals(game._id)) return write
  return owner._id.equals(createdGameId(record)) ? { ...write, loser: owner._id } : refuseLinked(owner.name, id)
}

const planSkip: PlanDecision = async (deps, record, resolved, session) => {
  const { source, id } = resolved
  const owner = await findLinkedGame(deps, { source, id, session })
  if (owner !== null) return { action: 'close', winner: owner._id }

  const gameId = createdGameId(record)
  const game = await deps.db.games.findOne({ _id: gameId }, { ...(session && { session }) })
  if (game === null) return { action: 'write', gameId, game, resolved, writes: 'all' }
  // A match took the entry from the created game, which may have another entry now.
  const other = findOtherLink(game, resolved)
  if (other !== undefined) return refuseLinked(game.name, other)
  return { action: 'write', gameId, game, resolved, writes: writesFor(deps, record, game) }
}

/** Plans what a decision does to the catalogue; a decision that failed before is refused. */
export async function plan(deps: PlanDeps, { record, entry }: LoadedDecision, session?: ClientSession): Promise<Plan> {
  if (entry === null) return { action: 'close', winner: null }
  if (entry instanceof Error) return refuse(describeFailure(record, entry))
  return await (record.decision === 'match' ? planMatch : planSkip)(deps, record, entry.resolved, session)
}
