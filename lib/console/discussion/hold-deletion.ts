import type { Comment } from '../../contract/comments.ts'
import { type Action, hold } from '../outbox/outbox.ts'
import { linkTo } from '../route.ts'

export const toDeletionKey = (id: string) => `comment/${id}`

export function holdDeletion({ _id, gameId, author }: Comment, send: Action['send']): void {
  hold({
    key: toDeletionKey(_id),
    what: 'Delete a comment',
    about: `by ${author?.userName ?? 'deleted user'}`,
    address: linkTo('games', gameId, 'comments', _id),
    send,
  })
}
