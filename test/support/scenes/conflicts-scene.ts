import type { ObjectId } from 'mongodb'
import type { ConflictDocument } from '../../../lib/db/collections/conflicts.ts'
import type { Answer, Caller } from '../clients/caller.ts'
import { type ConflictsTab, watchConflicts } from '../clients/watch-conflicts.ts'
import { insertConflict, insertGame } from '../rows/rows.ts'
import { startService, type TestService } from '../service/start-service.ts'

export interface ConflictsScene {
  service: TestService
  carol: Caller
  dora: Caller
  /** The Conflicts tabs of the two. */
  tabs: readonly [ConflictsTab, ConflictsTab]
  games: readonly [ObjectId, ObjectId]
  /** Stores a conflict with both games as candidates, waiting unless it is told otherwise. */
  insert(facts?: Partial<ConflictDocument>): Promise<ConflictDocument>
  post(
    caller: Caller,
    record: Pick<ConflictDocument, 'source' | 'externalId'>,
    verb: string,
    body?: unknown,
  ): Promise<Answer>
  /** The record as it is stored now. */
  stored(record: Pick<ConflictDocument, '_id'>): Promise<ConflictDocument | null>
  /** Events of a conflict at both tabs; fails when they differ. */
  toldOf(record: Pick<ConflictDocument, 'externalId'>): Promise<unknown[]>
}

/** A service with two games that conflicts are about, and two admins who look on. Close the service after it. */
export async function startConflicts(): Promise<ConflictsScene> {
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
    insert: (facts) => insertConflict(service.db, { candidates, ...facts }),
    async post(caller, { source, externalId }, verb, body) {
      const path = `/conflicts/${source}/${encodeURIComponent(externalId)}/${verb}`
      let answer = await caller.post(path, { body })
      // On a machine under load a request may be told to come again before its turn.
      for (let more = 10; answer.status === 503 && more > 0; more--) answer = await caller.post(path, { body })
      return answer
    },
    stored: ({ _id }) => service.db.conflicts.findOne({ _id }),
    async toldOf({ externalId }) {
      const [one, other] = await Promise.all(tabs.map((tab) => tab.seen()))
      if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error('the tabs were told different things')
      return (one ?? []).filter(({ payload }) => (payload as { externalId?: string }).externalId === externalId)
    },
  }
}
