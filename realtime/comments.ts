import { DISCUSSION_ROOMS_LIMIT } from '../lib/contract/limits.ts'
import { MESSAGES } from '../lib/contract/messages.ts'
import { commentsNamespace, type JoinAck, type LeaveAck } from '../lib/contract/namespaces/comments.ts'
import { defineNamespace, type ServedSocket } from './define-namespace.ts'
import { discussionRoom } from './rooms.ts'

const invalidGameId = { refusal: MESSAGES.invalidGameId, failure: MESSAGES.invalidGameId }

/** Besides the discussions a socket is in one room only, that of its own id. */
const countDiscussions = (socket: ServedSocket) => socket.rooms.size - 1

async function join(socket: ServedSocket, gameId: string): Promise<JoinAck> {
  const room = discussionRoom(gameId)
  if (!socket.rooms.has(room) && countDiscussions(socket) >= DISCUSSION_ROOMS_LIMIT) {
    return { ok: false, error: MESSAGES.tooManyDiscussions }
  }
  await socket.join(room)
  return { ok: true }
}

async function leave(socket: ServedSocket, gameId: string): Promise<LeaveAck> {
  await socket.leave(discussionRoom(gameId))
  return { ok: true }
}

/** Anonymous, notifications only; a socket joins the room of each discussion that it shows. */
export const comments = defineNamespace(commentsNamespace, {
  admits: 'anyone',
  requests: {
    'discussion:join': {
      ...invalidGameId,
      handle: ({ socket, payload }) => join(socket, payload.gameId),
    },
    'discussion:leave': {
      ...invalidGameId,
      handle: ({ socket, payload }) => leave(socket, payload.gameId),
    },
  },
})
