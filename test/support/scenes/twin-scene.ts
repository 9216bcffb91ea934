import { randomUUID } from 'node:crypto'
import { ObjectId } from 'mongodb'
import { toSaid } from '../../../lib/events/announcement.ts'
import type { Caller } from '../clients/caller.ts'
import { createCaller } from '../clients/caller.ts'
import { startService, type TestService } from '../service/start-service.ts'
import { type DiscussionScene, startDiscussion } from './discussion-scene.ts'

type Options = NonNullable<Parameters<typeof startService>[0]>

export interface TwinScene extends DiscussionScene {
  /** Another instance on the same database. */
  other: TestService
  /** The same person at the other instance. */
  atOther(caller: Caller): Caller
  /** Resolves when both instances have heard of everything that was written before. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** Two instances of the service on one database, with a discussion. */
export async function startTwins(options: Options = {}, otherOptions: Options = {}): Promise<TwinScene> {
  const scene = await startDiscussion(options)
  const { service } = scene
  const other = await startService({
    timeoutMs: 12_000,
    ...otherOptions,
    mongodbUri: otherOptions.mongodbUri ?? service.mongodbUri,
  })

  return {
    ...scene,
    other,
    atOther: ({ user }) => createCaller({ baseUrl: other.baseUrl, ...(user && { user }) }),
    async caughtUp() {
      await Promise.all([service, other].map(({ deps }) => untilCaughtUp(deps)))
    },
    async close() {
      await other.close()
      await service.close()
    },
  }
}

const waiting = new WeakMap<object, Map<string, () => void>>()

function watchMarkers({ conflicts }: TestService['deps']['emit']): Map<string, () => void> {
  const known = waiting.get(conflicts)
  if (known !== undefined) return known
  const markers = new Map<string, () => void>()
  waiting.set(conflicts, markers)
  const { applied } = conflicts
  conflicts.applied = (event, options) => {
    const arrived = markers.get(event.externalIds[0] ?? '')
    if (arrived === undefined) applied(event, options)
    else arrived()
  }
  return markers
}

/** Resolves when a service has heard of everything that was written before: changes arrive in the order of the writes. */
export async function untilCaughtUp({ emit, db }: TestService['deps']): Promise<void> {
  const marker = randomUUID()
  const markers = watchMarkers(emit)
  const arrived = new Promise<void>((resolve) => markers.set(marker, resolve))
  const payload = { source: 'igdb', externalIds: [marker] }
  const said = toSaid({ instance: 'marker' }, { event: 'conflicts:applied', payload })
  await db.announcements.insertOne({ _id: new ObjectId(), said, at: new Date() })
  await arrived
  markers.delete(marker)
}
