import type { ObjectId } from 'mongodb'
import { saveSourceCharacters } from '../../characters/save-source-characters.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import { createFromEntry } from '../../games/create-from-entry.ts'
import { findLinkedGame } from '../../games/find-linked-game.ts'
import { linkEntry } from '../../games/link-entry.ts'
import { listLinkedIds } from '../../games/linked-ids.ts'
import { unlinkEntry } from '../../games/unlink-entry.ts'
import { ImageError } from '../../images/image-error.ts'
import { createImagesInTime } from '../../images/images-in-time.ts'
import { isEmpty } from '../../values/without-empty.ts'
import { type ClaimedDecision, chosenGameOf } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'
import { reserveGame } from './reserve-game.ts'

interface Decided {
  record: ClaimedDecision
  /** What the catalogue is to be given; null where the decision links nothing. */
  resolved: ResolvedEntry | null
  fence: number
  /** What all downloads share; images that have not arrived by then are left out. */
  imagesMs: number
  signal: AbortSignal
}
type Linking = Omit<Decided, 'imagesMs'> & { resolved: ResolvedEntry }

type AppliedDecision =
  /** `winner` is the game that has the entry now, null for a skip that links nothing. */
  | { outcome: 'written'; winner: ObjectId | null }
  /** With a sentence for the admin who decides again. */
  | { outcome: 'refused'; message: string }
  /** A later holder of the lease has written already. */
  | { outcome: 'fenced' }

/** All but the entries of RetroAchievements, of which a game may have several. */
const LINK_FIELDS = { name: 1, isStopParsing: 1, 'igdb.gameId': 1, 'vndb.vnId': 1, 'hltb.hltbId': 1 }
const GONE = { outcome: 'refused', message: 'The game no longer exists' } as const

const refusedAs = (name: string, id: string) =>
  ({ outcome: 'refused', message: `${name} is already linked to ${id}` }) as const

/** The entry with its images copied for a game. */
async function withImages(deps: WriterDeps, { resolved, signal }: Linking, gameId: ObjectId): Promise<ResolvedEntry> {
  const { fields } = await copyEntryImages(deps, { gameId, resolved, signal })
  return { ...resolved, fields: { ...resolved.fields, ...fields } }
}

/** Says why a game cannot have the entry, as far as that can be known before anything is written. */
async function findRefusal(
  deps: WriterDeps,
  { record: { source, createdGameId }, resolved: { id } }: Linking,
  game: Pick<GameDocument, '_id' | 'name' | 'igdb' | 'vndb' | 'hltb'>,
) {
  const other = listLinkedIds(game, source).find((linked) => linked !== id)
  if (other !== undefined) return refusedAs(game.name, other)
  if (source !== 'igdb' && source !== 'vndb') return null

  const owner = await findLinkedGame(deps, { source, id })
  const isFree = owner === null || owner._id.equals(game._id) || createdGameId?.equals(owner._id)
  return isFree ? null : refusedAs(owner.name, id)
}

async function linkChosen(deps: WriterDeps, linking: Linking): Promise<AppliedDecision> {
  const { record, resolved, fence, signal } = linking
  const { source, createdGameId } = record
  const gameId = chosenGameOf(record)
  const game = gameId && (await deps.db.games.findOne({ _id: gameId }, { projection: LINK_FIELDS }))
  if (!game) return GONE

  // What an admin decides is linked; what a parse would add is added only where that is allowed in the background.
  const writes = game.isStopParsing || !deps.sources[source].isOn ? 'link' : 'all'
  // Nobody would delete the images of what is refused.
  const refusal = writes === 'all' && !isEmpty(resolved.images) ? await findRefusal(deps, linking, game) : null
  if (refusal !== null) return refusal
  const withoutEmpty = writes === 'all' ? await withImages(deps, linking, game._id) : resolved
  const link = () => linkEntry(deps, { gameId: game._id, resolved: withoutEmpty, writes, fence })

  let linked = await link()
  if (linked.outcome === 'owned' && createdGameId && !createdGameId.equals(game._id)) {
    const { id } = resolved
    const owner = await findLinkedGame(deps, { source, id })
    if (owner?._id.equals(createdGameId)) await unlinkEntry(deps, { gameId: createdGameId, source, id, fence })
    linked = await link()
  }
  switch (linked.outcome) {
    case 'written':
      if (writes === 'all') await saveSourceCharacters(deps, { gameId: game._id, resolved: withoutEmpty, signal })
      return { outcome: 'written', winner: record.winner ?? null }
    case 'linked-elsewhere':
      return refusedAs(linked.name, linked.id)
    case 'owned':
      return refusedAs(linked.name, resolved.id)
    case 'gone':
      return GONE
    case 'fenced':
      return linked
  }
}

async function createNew(deps: WriterDeps, linking: Linking): Promise<AppliedDecision> {
  const { record, resolved, fence, signal } = linking
  const gameId = await reserveGame(deps, { record, fence })
  if (gameId === null) return { outcome: 'fenced' }

  const owner = await findLinkedGame(deps, { source: record.source, id: resolved.id })
  // One that was there before this decision has its images and all; what a killed writer left is completed.
  if (owner !== null && !owner._id.equals(gameId)) return { outcome: 'written', winner: owner._id }
  const withoutEmpty = await withImages(deps, linking, gameId)
  const { game } = await createFromEntry(deps, { resolved: withoutEmpty, gameId, fence })
  if (game._id.equals(gameId)) await saveSourceCharacters(deps, { gameId, resolved: withoutEmpty, signal })
  return { outcome: 'written', winner: game._id }
}

/** Copies the images of one decision; who reads the log finds what was left out. */
function imagesOf({ images, log }: WriterDeps, { record, imagesMs }: Pick<Decided, 'record' | 'imagesMs'>) {
  const { source, externalId } = record
  const inTime = createImagesInTime(images, imagesMs)
  const copy: WriterDeps['images']['copy'] = (wanted) =>
    inTime.copy(wanted).catch((error: unknown) => {
      const facts = { err: error, source, externalId, link: wanted.link }
      if (error instanceof ImageError) log.warn(facts, 'an image of an entry could not be copied')
      throw error
    })
  return { copy }
}

/** Writes what an admin decided to the catalogue: links the entry to the game that was chosen, or makes a game of it. */
export async function applyDecision(
  deps: WriterDeps,
  { resolved, imagesMs, ...decided }: Decided,
): Promise<AppliedDecision> {
  if (resolved === null) return { outcome: 'written', winner: null }
  const linking = { ...decided, resolved }
  const inTime = { ...deps, images: imagesOf(deps, { record: decided.record, imagesMs }) }
  return decided.record.decision === 'match' ? linkChosen(inTime, linking) : createNew(inTime, linking)
}
