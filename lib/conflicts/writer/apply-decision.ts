import { ObjectId } from 'mongodb'
import { saveSourceCharacters } from '../../characters/save-source-characters.ts'
import type { GameDocument } from '../../db/collections/games.ts'
import type { ResolvedEntry } from '../../entries/resolve-entries.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import { createFromEntry } from '../../games/create-from-entry.ts'
import { findLinkedGame, linkedTo } from '../../games/find-linked-game.ts'
import { linkEntry } from '../../games/link-entry.ts'
import { findOtherLink } from '../../games/linked-ids.ts'
import { unlinkEntry } from '../../games/unlink-entry.ts'
import { ImageError } from '../../images/image-error.ts'
import { createImagesInTime } from '../../images/images-in-time.ts'
import { isEmpty } from '../../values/without-empty.ts'
import { type ClaimedDecision, chosenGameId } from './claim-batch.ts'
import type { WriterDeps } from './deps.ts'

interface ApplyDecisionInput {
  record: ClaimedDecision
  /** The entry in terms of the catalogue; null where the decision links nothing. */
  resolved: ResolvedEntry | null
  /** All downloads share this time; images that have not arrived by then are left out. */
  imagesMs: number
  signal: AbortSignal
}
type Linking = Pick<ApplyDecisionInput, 'record' | 'signal'> & { resolved: ResolvedEntry }

type AppliedDecision =
  /** `winner` is the game that has the entry now, null for a skip that links nothing. */
  | { outcome: 'written'; winner: ObjectId | null }
  /** `message` is a sentence for the admin who decides again. */
  | { outcome: 'refused'; message: string }
  /** A later holder of the lease has claimed the record or the game. */
  | { outcome: 'superseded' }

const GONE = { outcome: 'refused', message: 'The game no longer exists' } as const

const refuseLinked = (name: string, id: string) =>
  ({ outcome: 'refused', message: `${name} is already linked to ${id}` }) as const

/** Copies the images of an entry for a game; null is a game that is about to be made. */
async function withImages(
  deps: WriterDeps,
  { resolved, signal }: Linking,
  { gameId, game }: { gameId: ObjectId; game: GameDocument | null },
): Promise<ResolvedEntry> {
  const { fields } = await copyEntryImages(deps, { gameId, game, resolved, signal })
  return { ...resolved, fields: { ...resolved.fields, ...fields } }
}

/** Says why a game cannot have the entry, as far as that can be known before anything is written. */
async function findRefusal(deps: WriterDeps, { record, resolved: { id } }: Linking, game: GameDocument) {
  const { source, createdGameId } = record
  const other = findOtherLink(game, { source, id })
  if (other !== undefined) return refuseLinked(game.name, other)
  if (source !== 'igdb' && source !== 'vndb') return null

  const owner = await findLinkedGame(deps, { source, id })
  const isFree = owner === null || owner._id.equals(game._id) || createdGameId?.equals(owner._id)
  return isFree ? null : refuseLinked(owner.name, id)
}

async function linkChosen(deps: WriterDeps, linking: Linking): Promise<AppliedDecision> {
  const { record, resolved: entry, signal } = linking
  const { source, createdGameId, fencingToken } = record
  const gameId = chosenGameId(record)
  const game = gameId && (await deps.db.games.findOne({ _id: gameId }))
  if (!game) return GONE

  // The link that an admin chose is always written; parsed fields only where a parse in the background may write them.
  const writes = game.isStopParsing || !deps.sources[source].isOn ? 'link' : 'all'
  // Checked before copying: nobody would delete the images of a refused decision.
  const refusal = writes === 'all' && !isEmpty(entry.images) ? await findRefusal(deps, linking, game) : null
  if (refusal !== null) return refusal
  const resolved = writes === 'all' ? await withImages(deps, linking, { gameId: game._id, game }) : entry

  await deps.failpoint('writer:link')
  let linked = await linkEntry(deps, { game, resolved, writes, fencingToken })
  if (linked.outcome === 'owned' && createdGameId && !createdGameId.equals(game._id)) {
    const { owner } = linked
    if (owner._id.equals(createdGameId)) {
      await unlinkEntry(deps, { game: owner, source, id: resolved.id, fencingToken })
      await deps.failpoint('writer:unlinked')
    }
    linked = await linkEntry(deps, { game, resolved, writes, fencingToken })
  }
  switch (linked.outcome) {
    case 'written':
      if (writes === 'all') await saveSourceCharacters(deps, { gameId: game._id, resolved, signal })
      return { outcome: 'written', winner: record.winner ?? null }
    case 'linked-elsewhere':
      return refuseLinked(linked.name, linked.id)
    case 'owned':
      return refuseLinked(linked.owner.name, resolved.id)
    case 'gone':
      return GONE
    case 'superseded':
      return linked
  }
}

/**
 * Notes on a record the id of the game that its skip is about to create, so that doing it again after a crash makes the
 * same game with the same images. @returns null when another writer has claimed the record
 */
async function reserveGame({ db, failpoint }: WriterDeps, record: ClaimedDecision): Promise<ObjectId | null> {
  const { _id, decision, fencingToken } = record
  const reserved = await db.conflicts.findOneAndUpdate(
    { _id, status: 'pending', decision, fencingToken },
    [{ $set: { createdGameId: { $ifNull: ['$createdGameId', new ObjectId()] } } }],
    { returnDocument: 'after', projection: { createdGameId: 1 } },
  )
  await failpoint('writer:reserved')
  return reserved?.createdGameId ?? null
}

async function createNew(deps: WriterDeps, linking: Linking): Promise<AppliedDecision> {
  const { record, resolved: entry, signal } = linking
  const { source, fencingToken } = record
  const gameId = await reserveGame(deps, record)
  if (gameId === null) return { outcome: 'superseded' }

  const found = await deps.db.games.find({ $or: [{ _id: gameId }, linkedTo({ source, id: entry.id })] }).toArray()
  const own = found.find(({ _id }) => _id.equals(gameId)) ?? null
  const other = found.find(({ _id }) => !_id.equals(gameId))
  // A game that had the entry before is complete; one that a killed writer made is completed.
  if (other !== undefined) return { outcome: 'written', winner: other._id }
  const resolved = await withImages(deps, linking, { gameId, game: own })

  await deps.failpoint('writer:create')
  const { game } = await createFromEntry(deps, { resolved, gameId, fencingToken })
  await deps.failpoint('writer:created')
  if (game._id.equals(gameId)) await saveSourceCharacters(deps, { gameId, resolved, signal })
  return { outcome: 'written', winner: game._id }
}

/** Copies the images of one decision within its time, and logs which are left out. */
function imagesWithin(
  { images, log, failpoint }: WriterDeps,
  { record, imagesMs }: Pick<ApplyDecisionInput, 'record' | 'imagesMs'>,
): WriterDeps['images'] {
  const { source, externalId } = record
  const inTime = createImagesInTime(images, imagesMs)
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

/** Writes a decision to the catalogue: links the entry to the chosen game, or makes a game of it. */
export async function applyDecision(
  deps: WriterDeps,
  { record, resolved, imagesMs, signal }: ApplyDecisionInput,
): Promise<AppliedDecision> {
  if (resolved === null) return { outcome: 'written', winner: null }
  const linking = { record, resolved, signal }
  const own = { ...deps, images: imagesWithin(deps, { record, imagesMs }) }
  return record.decision === 'match' ? await linkChosen(own, linking) : await createNew(own, linking)
}
