import { copyMugShots, type PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import type { RequestsDeps } from '../deps.ts'
import { imagesNotCopied } from '../plan/link-warnings.ts'
import type { GamePlan, Link } from '../plan/plan-types.ts'
import type { ImageCopies } from './image-copies.ts'

/** Addresses of images that are stored already. */
interface ProposedImages {
  cover: string | null
  screenshots: readonly string[]
  artworks: readonly string[]
}

/** A plan of a game after its images were copied; the links have the addresses of theirs among their fields. */
export interface GameEntry extends Omit<GamePlan, 'imageLinks'> {
  images: ProposedImages
  /** The characters of the IGDB entry, where there is one. */
  characters: PreparedCharacters | null
}

async function copyProposed(
  copies: ImageCopies,
  { gameId, imageLinks: { cover, screenshots = [], artworks = [] } }: GamePlan,
): Promise<ProposedImages> {
  async function copyAll(links: readonly string[], folder: 'covers' | 'screenshots' | 'artworks'): Promise<string[]> {
    const urls = await Promise.all([...new Set(links)].map((link) => copies.copyProposed(link, folder, gameId)))
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
 * Copies the images of a payload into the storage, then those of its sources. A source gives no cover where there is one
 * already. An image of a source that cannot be copied becomes a warning.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copyGameImages(
  { db, storage }: Pick<RequestsDeps, 'db' | 'storage'>,
  copies: ImageCopies,
  plan: GamePlan,
): Promise<GameEntry> {
  const { imageLinks: _, ...planned } = plan
  const deps = { db, storage, images: copies }
  const options = { gameId: plan.gameId, signal: copies.signal, note: copies.note }

  const images = await copyProposed(copies, plan)
  const entries: Link[] = []
  const warnings = [...plan.warnings]
  let hasCover = images.cover !== null
  let characters: PreparedCharacters | null = null
  for (const link of plan.entries) {
    const { resolved, writes } = hasCover ? withoutCover(link) : link
    const { fields, failedImages } = await copyEntryImages(deps, { ...options, resolved })
    hasCover ||= fields.cover !== undefined
    entries.push({ writes, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } } })

    const prepared = await copyMugShots(deps, { ...options, resolved })
    const failed = failedImages.length + prepared.failedImages.length
    if (failed > 0) warnings.push(imagesNotCopied(resolved, failed))
    if (resolved.source === 'igdb') characters = prepared
  }
  return { ...planned, images, entries, characters, warnings }
}
