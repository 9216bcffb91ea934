import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { acquireLease, type Lease } from '../../db/lease.ts'
import { DomainError } from '../../errors.ts'
import { ImageError } from '../../images/image-error.ts'
import type { Images } from '../../images/images.ts'
import { createImagesInTime } from '../../images/images-in-time.ts'
import { normalise } from '../../names/normalise-name.ts'
import type { ObjectKey } from '../../storage/storage.ts'
import type { RequestsDeps } from '../deps.ts'
import type { Approval } from './approval-context.ts'
import type { ClaimedRequest } from './claim.ts'
import { recordUpload } from './record-upload.ts'

export interface ApprovalTimeouts {
  /** What all downloads of one approval share. */
  imagesMs: number
}

type Given = Pick<Approval, 'payload' | 'lockSync' | 'force' | 'signal'> & { request: ClaimedRequest }

/** A name or an entry of a source that nobody else works with meanwhile, as its lease is stored. */
export interface HeldLease {
  _id: string
  holder: string
  fencingToken: number
}

/** An approval and what has to be known of it when it ends. */
export interface RunningApproval {
  approval: Approval
  held: readonly HeldLease[]
  /** Every key that was noted, whatever became of the notes. */
  stored: readonly ObjectKey[]
  /** Those of them under which a put failed or was cut off. */
  uncertainUploads(): ObjectKey[]
  /** Ends what is under way, waits until nothing is being stored any more, and lets go of what is held. */
  end(): Promise<void>
}

const IMAGES_AT_ONCE = 4
export const HOLD_MS = 15_000
/** What an approval holds. */
export const HELD_ID = /^(name|entry)\//
const HOLD_POLL_MS = 100

export function createApprovalContext(
  deps: Pick<RequestsDeps, 'db' | 'images' | 'log'>,
  { request, signal: given, ...choice }: Given,
  { imagesMs }: ApprovalTimeouts = { imagesMs: 120_000 },
): RunningApproval {
  const { db, images } = deps
  const { _id: requestId, claimedAt } = request
  const stored: ObjectKey[] = []
  const settled = new Set<ObjectKey>()
  const failedImages: string[] = []
  const copies = new Set<Promise<unknown>>()
  const held: HeldLease[] = []
  const leases: Lease[] = []
  const slots = createSemaphore(IMAGES_AT_ONCE)
  const holder = randomUUID()
  const ending = new AbortController()
  const signal = AbortSignal.any([given, ending.signal])
  const inTime = createImagesInTime(
    { copy: (wanted) => slots.run(wanted.signal ?? signal, () => images.copy(wanted)) },
    imagesMs,
  )

  async function noteObject(key: ObjectKey): Promise<void> {
    signal.throwIfAborted()
    stored.push(key)
    await recordUpload(deps, { requestId, claimedAt, key })
  }

  const copyInTime: Images['copy'] = async (wanted) => {
    const copy = inTime.copy({ ...wanted, signal })
    copies.add(copy)
    try {
      const copied = await copy
      settled.add(copied.key)
      return copied
    } catch (error) {
      // What else there is to copy would be for nothing.
      if (!(error instanceof ImageError)) ending.abort(error)
      signal.throwIfAborted()
      throw error
    } finally {
      copies.delete(copy)
    }
  }

  const copyProposed: Approval['copyProposed'] = async (link, folder, entityId) => {
    try {
      return (await copyInTime({ link, folder, entityId, note: noteObject })).url
    } catch (error) {
      if (!(error instanceof ImageError)) throw error
      deps.log.warn({ err: error, requestId, link }, 'an image of a request could not be copied')
      failedImages.push(link)
      return null
    }
  }

  async function hold(id: string): Promise<void> {
    while (!held.some(({ _id }) => _id === id)) {
      signal.throwIfAborted()
      const lease = await acquireLease(db.leases, { id, holder, lastsMs: HOLD_MS })
      if (lease === null) await sleep(HOLD_POLL_MS)
      else {
        leases.push(lease)
        held.push({ _id: id, holder, fencingToken: lease.fencingToken })
      }
    }
  }

  async function letGo(): Promise<void> {
    await Promise.all(leases.splice(0).map((lease) => lease.release()))
    // One document for each of them would stay.
    await Promise.all(held.map(({ _id, fencingToken }) => db.leases.deleteOne({ _id, fencingToken })))
  }

  return {
    stored,
    uncertainUploads: () => stored.filter((key) => !settled.has(key)),
    held,
    approval: {
      ...{ request, ...choice, signal, failedImages, warnings: [] },
      ...{ noteObject, images: { copy: copyInTime }, copyProposed },
      holdName: (name) => hold(`name/${request.kind}/${normalise(name)}`),
      holdEntry: ({ source, id }) => hold(`entry/${source}/${id}`),
    },
    async end() {
      ending.abort(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
      await Promise.allSettled(copies)
      await letGo().catch((error: unknown) =>
        deps.log.warn({ err: error, requestId }, 'a name or an entry is held a little longer'),
      )
    },
  }
}
