import { WebSocket } from 'ws'
import { answerParent } from '../child.ts'

/** Many readers in one process; they count what arrives and parse nothing, so that they are never the slow side. */
const sockets: WebSocket[] = []
let received = 0
let awaited: { count: number; done: () => void } = { count: Number.POSITIVE_INFINITY, done: () => {} }

function open(url: string, gameId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    sockets.push(socket)
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const first = data.toString('latin1', 0, 3)
      if (first.startsWith('0')) socket.send('40/comments,')
      else if (first.startsWith('2')) socket.send('3')
      else if (first === '40/') socket.send(`42/comments,0["discussion:join",{"gameId":"${gameId}"}]`)
      else if (first === '43/') resolve()
      else if (++received >= awaited.count) awaited.done()
    })
  })
}

interface Opening {
  port: number
  gameId: string
  count: number
}

const AT_ONCE = 50

answerParent({
  async open(value) {
    // The bench asks this with an Opening only.
    const { port, gameId, count } = value as Opening
    for (let opened = 0; opened < count; opened += AT_ONCE) {
      const group = Math.min(AT_ONCE, count - opened)
      await Promise.all(
        Array.from({ length: group }, () =>
          open(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, gameId),
        ),
      )
    }
    return sockets.length
  },
  expect(value) {
    received = 0
    awaited = { count: Number(value), done: () => {} }
    return 0
  },
  /** Resolves when everything expected has arrived. */
  arrived: () =>
    received >= awaited.count
      ? received
      : new Promise((resolve) => {
          awaited.done = () => resolve(received)
        }),
})
