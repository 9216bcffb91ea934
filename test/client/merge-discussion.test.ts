import { expect, test } from 'vitest'
import { adoptList, emptyDiscussion, mergeList } from '../../lib/client/merge-discussion.ts'
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
})

test('a read that says the same of a comment keeps its object, so that a view draws the changed ones alone', () => {
  const read = (...likes: number[]) => ({ rows: likes.map((count, index) => comment(`${index}`, count)), total: 2 })
  const first = adoptList(emptyDiscussion('top'), read(1, 1))
  const options = { wanted: 2, missable: new Set<string>() }
  const again = mergeList(first, read(1, 5), options)

  expect(again.rows.get('0')).toBe(first.rows.get('0'))
  expect(again.rows.get('1')).toEqual(comment('1', 5))
})
