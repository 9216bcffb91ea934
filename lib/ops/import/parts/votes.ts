import type { Document, PushOperator, UpdateFilter } from 'mongodb'
import { importMark } from '../import-run.ts'
import { toId } from '../site-values.ts'
import type { Part, Plan } from '../take-part.ts'

interface VotesPart extends Pick<Part, 'name' | 'from'> {
  list: 'likedBy' | 'reportedBy'
  change: { $inc: Record<string, number> }
  /** Why a vote of this kind does not come over. */
  refuse(document: Document): string | null
}

/** Adds the voters to their comments, in the same write as the count. */
const votesPart = ({ name, from, list, change, refuse }: VotesPart): Part => ({
  name,
  from,
  async plan(documents, run) {
    const votes = documents.map((document) => ({
      commentId: toId(document.targetId ?? document.commentId),
      voter: toId(document.userId),
      refused: refuse(document),
    }))
    const [comments, users] = await Promise.all([
      run.lookUp(
        'comments',
        votes.map(({ commentId }) => commentId),
        ['userId'],
      ),
      run.lookUp(
        'users',
        votes.map(({ voter }) => voter),
      ),
    ])
    return votes.map(({ commentId, voter, refused }): Plan => {
      if (refused !== null) return { leftOut: refused }
      const comment = comments.get(commentId?.toHexString() ?? '')
      if (comment === undefined) return { leftOut: 'its comment is missing' }
      if (voter === null || !users.has(voter.toHexString())) return { leftOut: 'its user is missing' }
      if (toId(comment.userId)?.equals(voter)) return { leftOut: 'it is for an own comment' }
      const filter = { _id: comment._id, [list]: { $ne: voter } }
      // The operators of one field, whose name is that of a list of ids.
      const update: UpdateFilter<Document> = {
        ...change,
        $push: { [list]: voter } as PushOperator<Document>,
        $set: { sentBy: importMark() },
      }
      return { writes: [{ into: 'comments', operation: { updateOne: { filter, update } } }] }
    })
  },
})

export const VOTES = votesPart({
  name: 'votes',
  from: 'commentvotes',
  list: 'likedBy',
  change: { $inc: { likesCount: 1, rev: 1 } },
  refuse: ({ target, targetType = target }) =>
    targetType === undefined || targetType === 'comment' ? null : 'it is not for a comment',
})

export const REPORTS = votesPart({
  name: 'reports',
  from: 'commentreports',
  list: 'reportedBy',
  change: { $inc: { reportsCount: 1 } },
  refuse: ({ status = 'open' }) => (status === 'open' ? null : 'it is closed'),
})
