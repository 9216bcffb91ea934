import type { Document, Timestamp } from 'mongodb'
import { Long, MongoError } from 'mongodb'
import { hasCode } from '../../base/system/has-code.ts'
import { FEED_ANSWER_MS } from '../concurrency/timeouts.ts'
import type { FeedConnection } from '../db/connect.ts'

const BATCH_SIZE = 1_000
/** The cluster time counts whole seconds, so two writes in consecutive seconds may be close. */
const LAG_MAX_S = 1
/** Error codes of a token that is too old or unknown, and of a change that is too large for a batch. */
const HISTORY_LOST = [260, 280, 286, 10334]

export class HistoryLost extends Error {
  override readonly name = 'HistoryLost'
}

interface Answer {
  cursor: {
    id: Long | number
    ns: string
    firstBatch?: Document[]
    nextBatch?: Document[]
    postBatchResumeToken?: unknown
  }
  $clusterTime?: { clusterTime: Timestamp }
}

interface ChangesAnswer {
  changes: Document[]
  token: unknown
  /** False while the database has more changes, or while the newest of these is old. */
  isCaughtUp: boolean
  /** The time of `performance.now()` before which every write is among the changes read so far. */
  completeAt: number
}

function isCaughtUp(changes: readonly Document[], { $clusterTime: now }: Answer): boolean {
  if (changes.length >= BATCH_SIZE) return false
  const newest: Timestamp | undefined = changes.at(-1)?.clusterTime
  if (now === undefined || newest === undefined) return true
  return now.clusterTime.getHighBits() - newest.getHighBits() <= LAG_MAX_S
}

const isHistoryLost = (error: unknown) =>
  hasCode(error, ...HISTORY_LOST) ||
  (error instanceof MongoError && error.hasErrorLabel('NonResumableChangeStreamError'))

/**
 * Reads the change stream of a database batch by batch, an empty batch at least every second. It does not resume by itself
 * after a lost cursor, so that the caller sees every interruption.
 * @throws HistoryLost when the database no longer has the changes after the token
 */
export async function* readChanges(
  { client, db }: FeedConnection,
  { pipeline, token }: { pipeline: Document[]; token: unknown },
): AsyncGenerator<ChangesAnswer, never, undefined> {
  let cursorOf: { collection: string; id: Long | number } | undefined
  // A cursor belongs to the session that opened it.
  const session = client.startSession()
  let completeAt = performance.now()
  const query = async (command: Document): Promise<Answer> => {
    completeAt = performance.now()
    // The two commands answer with a cursor.
    return (await db.command(command, { session, promoteLongs: false })) as Answer
  }
  try {
    const opening = { $changeStream: token === undefined ? {} : { resumeAfter: token } }
    let answer = await query({
      aggregate: 1,
      pipeline: [opening, ...pipeline],
      cursor: { batchSize: BATCH_SIZE },
    })
    const { id, ns } = answer.cursor
    const collection = ns.slice(ns.indexOf('.') + 1)
    cursorOf = { collection, id }
    // The first batch after a token may arrive before the database has searched the history.
    for (let isSearched = token === undefined; ; isSearched = true) {
      const { firstBatch = [], nextBatch: changes = firstBatch, postBatchResumeToken } = answer.cursor
      yield { changes, token: postBatchResumeToken, isCaughtUp: isSearched && isCaughtUp(changes, answer), completeAt }
      if (Long.ZERO.equals(answer.cursor.id)) throw new HistoryLost('the change stream has ended')
      answer = await query({ getMore: id, collection, maxTimeMS: FEED_ANSWER_MS, batchSize: BATCH_SIZE })
    }
  } catch (error) {
    cursorOf = undefined
    throw isHistoryLost(error) ? new HistoryLost('the history of changes is gone', { cause: error }) : error
  } finally {
    // The caller ended the reading, and the cursor is open. A failed cursor is closed or unreachable.
    if (cursorOf) await query({ killCursors: cursorOf.collection, cursors: [cursorOf.id] }).catch(() => undefined)
    await session.endSession().catch(() => undefined)
  }
}
