import type { ObjectId } from 'mongodb'
import { expect } from 'vitest'
import type { Database } from '#lib/infrastructure/db/connect'
import type { Reader } from '../clients/watch-discussion.ts'

/** Expects the last event of each kind that a reader has seen of anything in a discussion to carry its stored state. */
export async function expectFinalState(db: Database, gameId: ObjectId, reader: Reader): Promise<void> {
  const stored = await db.comments.find({ gameId }).toArray()
  const seen = await reader.seen()
  const lastAt = (event: string, id: unknown) =>
    seen.findLastIndex(({ event: name, payload }) => name === event && payload.commentId === String(id))
  const last = <T>(event: string, id: unknown): T | undefined => seen[lastAt(event, id)]?.payload

  for (const { _id, likesCount, status, body } of stored) {
    expect(last<{ likesCount: number }>('comment:likes', _id)?.likesCount ?? likesCount).toBe(likesCount)
    expect(last<{ status: string }>('comment:status', _id)?.status ?? status).toBe(status)
    const edited = last<{ body: string }>('comment:updated', _id)
    // A comment that is shown again is read again: an older edit that arrives then is not sent.
    const isReadAgain = lastAt('comment:status', _id) > lastAt('comment:updated', _id)
    if (status === 'visible' && !isReadAgain) expect(edited?.body ?? body).toBe(body)
  }
  for (const { _id, parentId, repliesCount } of stored) {
    if (parentId !== null) continue
    expect(repliesCount).toBe(await db.comments.countDocuments({ parentId: _id, status: 'visible' }))
    const about = seen.findLast(
      ({ payload }) => payload.parentId === String(_id) && typeof payload.parentRepliesCount === 'number',
    )
    expect(about?.payload.parentRepliesCount ?? repliesCount).toBe(repliesCount)
  }
}
