import { FEED_LIVE_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { Caller } from '../clients/caller.ts'
import { createCaller } from '../clients/caller.ts'
import { type Reader, watchDiscussion } from '../clients/watch-discussion.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'
import { untilCaughtUp } from '../service/until-caught-up.ts'
import { startDiscussion } from './discussion-scene.ts'

type Options = NonNullable<Parameters<typeof startService>[0]>

/** Starts two instances of the service on one database, with a discussion. */
export async function startTwins(options: Options = {}, otherOptions: Options = {}) {
  const scene = await startDiscussion({ cacheLagMs: FEED_LIVE_MS, ...options })
  const { service } = scene
  const other = await startService({
    timeoutMs: 12_000,
    ...otherOptions,
    mongodbUri: otherOptions.mongodbUri ?? service.mongodbUri,
  })

  /** Resolves when both instances have handled everything that was written before. */
  async function caughtUp(): Promise<void> {
    await Promise.all([service, other].map(({ deps }) => untilCaughtUp(deps)))
  }

  return {
    ...scene,
    other,
    /** The same user at the other instance. */
    atOther: ({ user }: Pick<Caller, 'user'>) => createCaller({ baseUrl: other.baseUrl, user }),
    caughtUp,
    /** Opens a socket at each instance that follows the game, and receives no event of an earlier change. */
    async watchBoth(gameId: { toString(): string }): Promise<[Reader, Reader]> {
      await caughtUp()
      return [await watchDiscussion(service.baseUrl, gameId), await watchDiscussion(other.baseUrl, gameId)]
    },
    async close() {
      await other.close()
      await service.close()
    },
  }
}

export const useTwins = closeAtEnd(startTwins)
