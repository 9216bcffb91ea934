import type { Comment } from '../../contract/comments.ts'
import { type Action, hold } from '../outbox/outbox.ts'
import { linkToComment, nameAuthor } from './comment-content.tsx'

export const toDeletionKey = (id: string) => `comment/${id}`

export function holdDeletion(comment: Comment, send: Action['send']): void {
  hold({
    key: toDeletionKey(comment._id),
    what: 'Delete a comment',
    about: `by ${nameAuthor(comment)}`,
    address: linkToComment(comment),
    send,
  })
}
