import { readPages, toCursor } from '../../client/discussion-reads.ts'
import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import { TAKE_MAX } from '../../contract/limits.ts'
import { hall, viewer } from '../session.ts'
import { loadMarkdown, type SentComment } from './comment-draft.ts'

export function findNewest(live: LiveDiscussion): string {
  const { comments, replies } = live.get()
  const shown = [...comments, ...Object.values(replies).flatMap((thread) => thread.comments)]
  return shown.reduce((newest, { createdAt }) => (createdAt > newest ? createdAt : newest), '')
}

/** Reads the newest comments of a game, or the replies to the thread of the answered comment since then. */
async function readNewest(gameId: string, answered: Comment | undefined, since: string): Promise<readonly Comment[]> {
  if (answered === undefined) {
    const query = { sort: 'new', take: TAKE_MAX } as const
    return (await hall.call('GET /games/:gameId/comments', { params: { gameId }, query })).results
  }
  const params = { id: answered.parentId ?? answered._id }
  const shown = since === '' ? undefined : { likesCount: 0, createdAt: since, _id: 'f'.repeat(24) }
  const { rows } = await readPages<Comment>(
    (take, last: Parameters<typeof toCursor>[0] | undefined = shown) =>
      hall.call('GET /comments/:id/replies', { params, query: { take, ...(last && { after: toCursor(last) }) } }),
    { size: Number.POSITIVE_INFINITY },
  )
  return rows
}

/** True when a sent comment of this user is stored. The stored one is newer than every comment that was shown. */
export async function isStored(
  { body, since }: SentComment,
  gameId: string,
  answered: Comment | undefined,
): Promise<boolean> {
  const [comments, { isSameMarkup }] = await Promise.all([readNewest(gameId, answered, since), loadMarkdown()])
  return comments.some(
    (comment) =>
      comment.userId === viewer.peek() &&
      comment.createdAt > since &&
      comment.replyToId === (answered?._id ?? null) &&
      isSameMarkup(comment.body, body),
  )
}
