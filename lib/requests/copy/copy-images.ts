import type { RequestsDeps } from '../deps.ts'
import type { Plan } from '../plan/plan.ts'
import type { CharacterPlan } from '../plan/plan-types.ts'
import { copyGameImages, type GameEntry } from './copy-game-images.ts'
import { createImageCopies, type ImageCopiesOptions } from './image-copies.ts'

export type CharacterEntry = Omit<CharacterPlan, 'mugShotLink'>

/** A plan whose images are copied into the storage. */
export interface CopiedPlan {
  /** What is written, the public addresses of its images among its fields. */
  entry: GameEntry | CharacterEntry
  /** Links of the payload that could not be copied. */
  failedLinks: readonly string[]
}

type CopyDeps = Pick<RequestsDeps, 'db' | 'storage' | 'images' | 'log' | 'failpoint'>

/**
 * Copies the images of a plan into the storage, each recorded before it is stored. However it ends, nothing is being stored
 * any more.
 * @throws StorageError, DomainError CONFLICT when the claim is lost, the signal's reason
 */
export async function copyImages(deps: CopyDeps, plan: Plan, options: ImageCopiesOptions): Promise<CopiedPlan> {
  const copies = createImageCopies(deps, options)
  try {
    if (plan.kind === 'game') {
      return { entry: await copyGameImages(deps, copies, plan), failedLinks: copies.failedLinks }
    }
    const { mugShotLink: link, ...entry } = plan
    const mugShot = link === undefined ? null : await copies.copyProposed(link, 'characters', entry._id)
    const fields = { ...entry.fields, ...(mugShot !== null && { mugShot }) }
    return { entry: { ...entry, fields }, failedLinks: copies.failedLinks }
  } finally {
    await copies.end()
  }
}
