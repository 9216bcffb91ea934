import type { ClientSession, Document, Timestamp } from 'mongodb'
import { Long, MongoError } from 'mongodb'
import { hasCode } from '../../base/system/has-code.ts'
import { FEED_ANSWER_MS } from '../concurrency/timeouts.ts'
import type { FeedConnection } from '../db/connect.ts'

const BATCH_SIZE = 1_000
/** The database's clock of writes counts whole seconds: two writes of two seconds in a row may be close. */
const LAG_MAX_S = 1
/** The history does not reach back that far, the token is none of its own, or the next change is too large for an answer. */
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
  /** The newest write that the database knows. */
  $clusterTime?: { clusterTime: Timestamp }
}

export interface ChangesAnswer {
  changes: Document[]
  /** Where to go on from when the cursor is lost. */
  token: unknown
  /** False while more changes wait behind these, or while the newest of these is old. */
  isCaughtUp: boolean
}

function isCaughtUp(changes: readonly Document[], { $clusterTime: now }: Answer): boolean {
  if (changes.length >= BATCH_SIZE) return false
  // Every change has the time of its write.
  const newest: Timestamp | undefined = changes.at(-1)?.clusterTime
  if (now === undefined || newest === undefined) return true
  return now.clusterTime.getHighBits() - newest.getHighBits() <= LAG_MAX_S
}

const isHistoryLost = (error: unknown) =>
  hasCode(error, ...HISTORY_LOST) ||
  (error instanceof MongoError && error.hasErrorLabel('NonResumableChangeStreamError'))

/**
 * Reads the change stream of a database, answer by answer, an empty one at least every second. It does not go on by itself
 * when the cursor is lost, so that the caller knows of each gap.
 * @throws HistoryLost when the changes after the token are not to be had any more
 */
export async function* readChanges(
  { db, startSession }: FeedConnection,
  { pipeline, token }: { pipeline: Document[]; token: unknown },
): AsyncGenerator<ChangesAnswer, never, undefined> {
  let cursorOf: { collection: string; id: Long | number } | undefined
  // A cursor belongs to the session that opened it.
  const session: ClientSession = startSession()
  const query = async (command: Document): Promise<Answer> => {
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
    // The first answer to a token may come before the history is searched.
    for (let isSearched = token === undefined; ; isSearched = true) {
      const { firstBatch = [], nextBatch: changes = firstBatch, postBatchResumeToken } = answer.cursor
      yield { changes, token: postBatchResumeToken, isCaughtUp: isSearched && isCaughtUp(changes, answer) }
      if (Long.ZERO.equals(answer.cursor.id)) throw new HistoryLost('the change stream has ended')
      answer = await query({ getMore: id, collection, maxTimeMS: FEED_ANSWER_MS, batchSize: BATCH_SIZE })
    }
  } catch (error) {
    cursorOf = undefined
    throw isHistoryLost(error) ? new HistoryLost('the history of changes is gone', { cause: error }) : error
  } finally {
    // Left before its end. One that failed is gone, or cannot be reached.
    if (cursorOf) await query({ killCursors: cursorOf.collection, cursors: [cursorOf.id] }).catch(() => undefined)
    await session.endSession().catch(() => undefined)
  }
}
