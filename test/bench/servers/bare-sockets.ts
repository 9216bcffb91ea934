import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { listenLocally } from '../../support/processes/listen-locally.ts'
import { type Announcement, answerParent } from '../answer-parent.ts'

const http = createServer()
const io = new Server(http)
const comments = io.of('/comments')
comments.on('connection', (socket) => {
  socket.on('discussion:join', async ({ gameId }: { gameId: string }, ack: (answer: unknown) => void) => {
    await socket.join(gameId)
    ack({ ok: true })
  })
})
const port = await listenLocally(http)

answerParent({
  port: () => port,
  announce: (value) => {
    // The bench sends an Announcement only.
    const { gameId, events } = value as Announcement
    for (let likesCount = 0; likesCount < events; likesCount++) {
      comments.to(gameId).emit('comment:likes', { gameId, commentId: '0'.repeat(24), likesCount })
    }
    return 0
  },
})
