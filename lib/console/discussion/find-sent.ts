import type { LiveDiscussion } from '../../client/live-discussion.ts'
import type { Comment } from '../../contract/comments.ts'
import type { COMMENTS_PAGED_MAX } from '../../contract/limits.ts'
import { hall } from '../hall.ts'
import { viewer } from '../session.ts'
import { loadMarkdown } from './comment-draft.ts'
import type { SentSearch } from './comment-form.tsx'

const TAKE = 50
const PAGED_MAX: typeof COMMENTS_PAGED_MAX = 10_000

/** Reads the newest comments of a game, or those of the thread of the answered comment. */
async function readNewest(gameId: string, answered: Comment | undefined): Promise<readonly Comment[]> {
  if (answered === undefined) {
    const query = { sort: 'new', take: TAKE } as const
    return (await hall.call('GET /games/:gameId/comments', { params: { gameId }, query })).results
  }
  // Replies are listed with the oldest first.
  const params = { id: answered.parentId ?? answered._id }
  const read = (page: number) => hall.call('GET /comments/:id/replies', { params, query: { page, take: TAKE } })
  const first = await read(1)
  const last = Math.ceil(Math.min(first.total, PAGED_MAX) / TAKE)
  const rest = await Promise.all([last - 1, last].filter((page) => page > 1).map(read))
  return [first, ...rest].flatMap(({ results }) => results)
}

/** Looks for the user's own new comment: one that is newer than all that were shown when it was sent. */
export function searchSent(live: LiveDiscussion, gameId: string, answered?: Comment): SentSearch {
  return {
    newest() {
      const { comments, replies } = live.get()
      const shown = [...comments, ...Object.values(replies).flatMap((thread) => thread.comments)]
      return shown.reduce((newest, { createdAt }) => (createdAt > newest ? createdAt : newest), '')
    },
    async find({ body, since }) {
      const [comments, { isSameMarkup }] = await Promise.all([readNewest(gameId, answered), loadMarkdown()])
      const isFound = comments.some(
        (comment) =>
          comment.userId === viewer.peek() &&
          comment.createdAt > since &&
          comment.replyToId === (answered?._id ?? null) &&
          isSameMarkup(comment.body, body),
      )
      if (isFound) live.showNew()
      return isFound
    },
  }
}
