import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { Answer, Caller } from '../clients/caller.ts'
import { watchConflicts } from '../clients/watch-conflicts.ts'
import { insertConflict, insertGame } from '../rows/rows.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { startService } from '../service/start-service.ts'

type Conflict = Pick<ConflictDocument, 'source' | 'externalId'>

/** Starts a service with two games that conflicts are about, and with sockets of two admins. */
async function startConflicts() {
  const service = await startService()
  const carol = await service.caller({ userName: 'carol', isAdmin: true })
  const dora = await service.caller({ userName: '$dora', isAdmin: true })
  const tabs = [await watchConflicts(service, carol), await watchConflicts(service, dora)] as const
  const games = [await insertGame(service.db, { name: 'One', slug: 'one' }), await insertGame(service.db)] as const
  const candidates = games.map((gameId, index) => ({
    gameId,
    slug: `game-${index}`,
    name: `Game ${index}`,
    score: 0.5,
  }))

  return {
    service,
    carol,
    dora,
    tabs,
    games,
    /** Stores a conflict with both games as candidates, waiting by default. */
    insert: (facts?: Partial<ConflictDocument>) => insertConflict(service.db, { candidates, ...facts }),
    async post(caller: Caller, { source, externalId }: Conflict, verb: string, body?: unknown) {
      const path = `/conflicts/${source}/${encodeURIComponent(externalId)}/${verb}`
      let answer = await caller.post(path, { body })
      // A busy machine may refuse a request before its turn.
      for (let more = 10; answer.status === 503 && more > 0; more--) answer = await caller.post(path, { body })
      return answer
    },
    refusal: ({ status, body }: Answer) => [status, body.message],
    stored: ({ _id }: Pick<ConflictDocument, '_id'>) => service.db.conflicts.findOne({ _id }),
    /** Events of a conflict at both tabs; fails when they differ. */
    async eventsOf({ externalId }: Pick<Conflict, 'externalId'>) {
      const [one, other] = await Promise.all(tabs.map((tab) => tab.seen()))
      if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error('the tabs received different events')
      return (one ?? []).filter(({ payload }) => (payload as { externalId?: string }).externalId === externalId)
    },
    close: () => service.close(),
  }
}

export const useConflicts = closeAtEnd(startConflicts)
