import type { ObjectId } from 'mongodb'
import { copyMugShots, type PreparedCharacters } from '../../characters/copy-mug-shots.ts'
import { mapLimited } from '../../concurrency/map-limited.ts'
import type { GamePayload } from '../../contract/requests.ts'
import { copyEntryImages } from '../../games/copy-entry-images.ts'
import type { RequestsDeps } from '../deps.ts'
import type { Link, ProposedImages } from '../plan/game-plan.ts'
import { imagesNotCopied } from '../plan/link-warnings.ts'
import type { Approval } from './approval-context.ts'

type CopyDeps = Pick<RequestsDeps, 'db' | 'storage'>

interface Wanted {
  /** Of a game of the catalogue, or of one that is about to be inserted. */
  gameId: ObjectId
  payload: Pick<GamePayload, 'cover' | 'screenshots' | 'artworks'>
  links: readonly Link[]
}

interface Copied {
  images: ProposedImages
  /** With the addresses of their copied images among their fields. */
  entries: readonly Link[]
  characters: PreparedCharacters | null
}

const AT_ONCE = 4

async function copyProposed(
  approval: Approval,
  gameId: ObjectId,
  { cover, screenshots = [], artworks = [] }: Wanted['payload'],
): Promise<ProposedImages> {
  const wanted = [
    ...(cover === undefined ? [] : [{ link: cover, folder: 'covers' as const }]),
    ...[...new Set(screenshots)].map((link) => ({ link, folder: 'screenshots' as const })),
    ...[...new Set(artworks)].map((link) => ({ link, folder: 'artworks' as const })),
  ]
  const copied = await mapLimited(wanted, AT_ONCE, async ({ link, folder }) => ({
    folder,
    url: await approval.copyProposed(link, folder, gameId),
  }))
  const urlsOf = (own: (typeof wanted)[number]['folder']) =>
    copied.flatMap(({ folder, url }) => (folder === own && url !== null ? url : []))
  const [first = null] = urlsOf('covers')
  return { cover: first, screenshots: urlsOf('screenshots'), artworks: urlsOf('artworks') }
}

const withoutCover = ({ resolved, ...link }: Link): Link => {
  const { cover: _, ...images } = resolved.images
  return { ...link, resolved: { ...resolved, images } }
}

/**
 * Copies the images of a payload into the storage, then those of its sources, each noted before it is stored. A source
 * gives no cover where there is one already. What of a source cannot be copied becomes a warning.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copyGameImages(
  deps: CopyDeps,
  approval: Approval,
  { gameId, payload, links }: Wanted,
): Promise<Copied> {
  const { signal, noteObject: note, warnings, images: given } = approval
  const copyDeps = { ...deps, images: given }

  const images = await copyProposed(approval, gameId, payload)
  const entries: Link[] = []
  let hasCover = images.cover !== null
  let characters: PreparedCharacters | null = null
  for (const link of links) {
    const { resolved, writes } = hasCover ? withoutCover(link) : link
    const { fields, failedImages } = await copyEntryImages(copyDeps, { gameId, resolved, signal, note })
    hasCover ||= fields.cover !== undefined
    entries.push({ writes, resolved: { ...resolved, fields: { ...resolved.fields, ...fields } } })

    const people = await copyMugShots(copyDeps, { gameId, resolved, signal, note })
    const failed = failedImages.length + people.failedImages.length
    if (failed > 0) warnings.push(imagesNotCopied(resolved, failed))
    if (resolved.source === 'igdb') characters = people
  }
  return { images, entries, characters }
}
