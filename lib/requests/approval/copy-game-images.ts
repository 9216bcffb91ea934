import type { ObjectId } from 'mongodb'
import { copyMugShots, type PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import type { GamePayload } from '../../contract/game-payload.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import type { RequestsDeps } from '../deps.ts'
import type { CopiedImages, Link, ProposedImages } from '../plan/game-plan.ts'
import { imagesNotCopied } from '../plan/link-warnings.ts'
import type { ApprovalContext } from './approval-context.ts'

interface CopyInput {
  /** The id of a game of the catalogue, or of one that is about to be inserted. */
  gameId: ObjectId
  payload: Pick<GamePayload, 'cover' | 'screenshots' | 'artworks'>
  links: readonly Link[]
}

async function copyProposed(
  { images }: ApprovalContext,
  { gameId, payload: { cover, screenshots = [], artworks = [] } }: CopyInput,
): Promise<ProposedImages> {
  async function copyAll(links: readonly string[], folder: 'covers' | 'screenshots' | 'artworks'): Promise<string[]> {
    const urls = await Promise.all([...new Set(links)].map((link) => images.copyProposed(link, folder, gameId)))
    return urls.filter((url) => url !== null)
  }
  const [covers, copiedScreenshots, copiedArtworks] = await Promise.all([
    copyAll(cover === undefined ? [] : [cover], 'covers'),
    copyAll(screenshots, 'screenshots'),
    copyAll(artworks, 'artworks'),
  ])
  return { cover: covers[0] ?? null, screenshots: copiedScreenshots, artworks: copiedArtworks }
}

function withoutCover({ resolved, ...link }: Link): Link {
  const { cover: _, ...images } = resolved.images
  return { ...link, resolved: { ...resolved, images } }
}

/**
 * Copies the images of a payload into the storage, then those of its sources, each recorded before it is stored. A source
 * gives no cover where there is one already. An image of a source that cannot be copied becomes a warning.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copyGameImages(
  { db, storage }: Pick<RequestsDeps, 'db' | 'storage'>,
  approval: ApprovalContext,
  input: CopyInput,
): Promise<CopiedImages> {
  const { gameId, links } = input
  const { signal, uploads, warnings } = approval
  const deps = { db, storage, images: approval.images }
  const options = { gameId, signal, note: uploads.record }

  const images = await copyProposed(approval, input)
  const entries: Link[] = []
  let hasCover = images.cover !== null
  let characters: PreparedCharacters | null = null
  for (const link of links) {
    const { resolved, writes } = hasCover ? withoutCover(link) : link
    const { fields, failedImages } = await copyEntryImages(deps, { ...options, resolved })
    hasCover ||= fields.cover !== undefined
    entries.push({ writes, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } } })

    const prepared = await copyMugShots(deps, { ...options, resolved })
    const failed = failedImages.length + prepared.failedImages.length
    if (failed > 0) warnings.push(imagesNotCopied(resolved, failed))
    if (resolved.source === 'igdb') characters = prepared
  }
  return { images, entries, characters }
}
