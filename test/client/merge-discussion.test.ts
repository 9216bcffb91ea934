import { expect, test } from 'vitest'
import { adoptRead, applyChange, emptyDiscussion, LIST, mergeRead } from '../../lib/client/merge-discussion.ts'
import type { Comment } from '../../lib/contract/comments.ts'

const comment = (_id: string, likesCount: number): Comment => ({
  _id,
  gameId: 'a'.repeat(24),
  userId: 'b'.repeat(24),
  parentId: null,
  replyToId: null,
  body: `<p>${_id}</p>`,
  isSpoiler: false,
  likesCount,
  repliesCount: 0,
  status: 'visible',
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
  replyTo: null,
  author: { _id: 'b'.repeat(24), userName: 'author' },
  isLiked: false,
  isReported: false,
  reviewId: null,
  review: null,
  authorPlaythrough: null,
})

test('a read that says the same of a comment keeps its object, so that a view draws the changed ones alone', () => {
  const read = (...likes: number[]) => ({ rows: likes.map((count, index) => comment(`${index}`, count)), total: 2 })
  const first = adoptRead(emptyDiscussion('top', 2), LIST, read(1, 1))
  const again = mergeRead(first, { ...read(1, 5), pages: 1 })

  expect(again.rows.get('0')).toBe(first.rows.get('0'))
  expect(again.rows.get('1')).toEqual(comment('1', 5))
})

test('an edit that arrives after a deletion leaves the removed comment empty', () => {
  const { _id, createdAt: updatedAt } = comment('0', 1)
  const gameId = 'a'.repeat(24)
  const shown = adoptRead(emptyDiscussion('top', 2), LIST, {
    rows: [{ ...comment('0', 1), repliesCount: 1 }],
    total: 1,
  })
  const status = { gameId, commentId: _id, parentId: null, parentRepliesCount: null } as const
  const deleted = applyChange(shown, { kind: 'status', event: { ...status, status: 'deleted' } })
  const edited = applyChange(deleted.discussion, {
    kind: 'updated',
    event: { gameId, commentId: _id, body: '<p>secret</p>', isSpoiler: false, updatedAt },
  })

  expect(edited.discussion.rows.get('0')).toMatchObject({ status: 'deleted', body: '', author: null })
})
