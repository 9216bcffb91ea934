import { DISCUSSION_ROOMS_LIMIT } from '../lib/contract/limits.ts'
import { MESSAGES } from '../lib/contract/messages.ts'
import { commentsNamespace, type JoinAck, type LeaveAck } from '../lib/contract/namespaces/comments.ts'
import { defineNamespace, discussionRoom, type ServedSocket } from './define-namespace.ts'

const invalidGameId = { refusal: MESSAGES.invalidGameId, failure: MESSAGES.invalidGameId }

/** Counts the rooms of a socket besides the first one, that of its id. */
const countDiscussions = (socket: ServedSocket) => socket.rooms.size - 1

export const comments = defineNamespace(commentsNamespace, {
  admits: 'anyone',
  requests: {
    'discussion:join': {
      ...invalidGameId,
      async handle({ socket, payload: { gameId } }): Promise<JoinAck> {
        const room = discussionRoom(gameId)
        const isFull = !socket.rooms.has(room) && countDiscussions(socket) >= DISCUSSION_ROOMS_LIMIT
        if (isFull) return { ok: false, error: MESSAGES.tooManyDiscussions }
        await socket.join(room)
        return { ok: true }
      },
    },
    'discussion:leave': {
      ...invalidGameId,
      async handle({ socket, payload: { gameId } }): Promise<LeaveAck> {
        await socket.leave(discussionRoom(gameId))
        return { ok: true }
      },
    },
  },
})
