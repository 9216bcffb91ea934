import type { Folder } from '#lib/infrastructure/storage/storage'
import { copyMugShots, type PreparedCharacters } from '../../catalogue/characters/copy-mug-shots.ts'
import { copyEntryImages, type StoredImages } from '../../catalogue/games/copy-entry-images.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import type { RequestsDeps } from '../deps.ts'
import { imagesNotCopied } from '../link-warnings.ts'
import type { CharacterEntry, CharacterPlan, CopiedPlan, GameEntry, GamePlan, Link, Plan } from '../plan-types.ts'
import { createImageCopies, type ImageCopies, type ImageCopiesOptions } from './image-copies.ts'

type CopyDeps = Pick<RequestsDeps, 'db' | 'storage'>

/** Whether a proposed link is the address of an object that the field holds: nothing is copied or written for it. */
const isHeldBy = ({ keyOf }: CopyDeps['storage'], held: unknown, link: string) =>
  stringsIn([held].flat()).includes(keyOf(link) ?? '')

async function copyProposed(
  copies: ImageCopies,
  { gameId, imageLinks: { cover, screenshots = [], artworks = [] } }: GamePlan,
  isHeld: (link: string, field: keyof GameEntry['images']) => boolean,
): Promise<GameEntry['images']> {
  const copyAll = (links: readonly string[], field: keyof GameEntry['images'], folder: Folder) => {
    const wanted = [...new Set(links)].filter((link) => !isHeld(link, field))
    return Promise.all(wanted.map((link) => copies.copyProposed(link, folder, gameId)))
  }
  const [covers, screenshotKeys, artworkKeys] = await Promise.all([
    copyAll(stringsIn([cover]), 'cover', 'covers'),
    copyAll(screenshots, 'screenshots', 'screenshots'),
    copyAll(artworks, 'artworks', 'artworks'),
  ])
  return { cover: covers[0] ?? null, screenshots: stringsIn(screenshotKeys), artworks: stringsIn(artworkKeys) }
}

/** Copies the images of the payload, then those of the sources; a source gives no cover where there is one already. */
async function copyGameImages({ db, storage }: CopyDeps, copies: ImageCopies, plan: GamePlan): Promise<GameEntry> {
  const { imageLinks, ...planned } = plan
  const { gameId } = plan
  const projection = { isCustom: 1, cover: 1, screenshots: 1, artworks: 1 }
  const game = await db.games.findOne<StoredImages>({ _id: gameId }, { projection })
  const deps = { db, images: copies }
  const options = { gameId, signal: copies.signal, note: copies.note }

  const isHeld = (link: string, field: keyof GameEntry['images']) => isHeldBy(storage, game?.[field], link)
  const images = await copyProposed(copies, plan, isHeld)
  const entries: Link[] = []
  const warnings = [...plan.warnings]
  let hasCover = images.cover !== null || stringsIn([imageLinks.cover]).some((link) => isHeld(link, 'cover'))
  let characters: PreparedCharacters | null = null
  for (const link of plan.entries) {
    const { cover: _, ...others } = link.resolved.images
    const resolved = hasCover ? { ...link.resolved, images: others } : link.resolved
    const { fields, failedImages } = await copyEntryImages(deps, { ...options, game, resolved })
    hasCover ||= fields.cover !== undefined
    entries.push({ ...link, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } } })

    const prepared = await copyMugShots(deps, { ...options, resolved })
    const failed = failedImages.length + prepared.failedImages.length
    if (failed > 0) warnings.push(imagesNotCopied(resolved, failed))
    if (resolved.characters.length > 0) characters = prepared
  }
  return { ...planned, images, entries, characters, warnings }
}

async function copyMugShot(
  { db, storage }: CopyDeps,
  copies: ImageCopies,
  { mugShotLink, ...entry }: CharacterPlan,
): Promise<CharacterEntry> {
  if (mugShotLink === undefined) return entry
  const stored = await db.characters.findOne({ _id: entry._id }, { projection: { mugShot: 1 } })
  if (isHeldBy(storage, stored?.mugShot, mugShotLink)) return entry
  const mugShot = await copies.copyProposed(mugShotLink, 'characters', entry._id)
  return { ...entry, fields: { ...entry.fields, ...(mugShot !== null && { mugShot }) } }
}

/**
 * Copies the images of a plan into the storage, each recorded before it is stored. However it ends, nothing is being stored
 * any more. An image of a source that cannot be copied becomes a warning.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copy(
  deps: Pick<RequestsDeps, 'db' | 'storage' | 'images' | 'log' | 'failpoint'>,
  plan: Plan,
  options: ImageCopiesOptions,
): Promise<CopiedPlan> {
  const copies = createImageCopies(deps, options)
  try {
    const entry =
      plan.kind === 'game' ? await copyGameImages(deps, copies, plan) : await copyMugShot(deps, copies, plan)
    return { entry, failedLinks: copies.failedLinks }
  } finally {
    await copies.end()
  }
}
