import { WebSocket } from 'ws'
import { answerParent } from '../answer-parent.ts'

/** Many readers in one process. They count messages and parse nothing, so that they are never the slow side. */
const sockets: WebSocket[] = []
let received = 0
let awaited: { count: number; done: () => void } = { count: Number.POSITIVE_INFINITY, done: () => {} }

/** The headers of a browser that is signed in. */
const headersOf = (index: number) => ({
  Origin: 'http://localhost:3000',
  'Cache-Control': 'no-cache',
  Pragma: 'no-cache',
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
  Cookie: `theme=dark; visitor=${index}; accessSessionToken=${'h'.repeat(20)}.${'p'.repeat(200)}.${'s'.repeat(43)}`,
})

/** Opens a socket as browsers do: by polling, and goes on over WebSocket. */
async function open(port: number, gameId: string, index: number): Promise<void> {
  const engine = `//127.0.0.1:${port}/socket.io/?EIO=4&transport`
  const headers = headersOf(index)
  const poll = async (sid: string, init = {}) =>
    (await fetch(`http:${engine}=polling${sid}`, { headers, ...init })).text()
  const sid = `&sid=${JSON.parse((await poll('')).slice(1)).sid}`
  await poll(sid, { method: 'POST', body: '40/comments,' })
  await poll(sid)

  const socket = new WebSocket(`ws:${engine}=websocket${sid}`, { headers })
  sockets.push(socket)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => socket.send('2probe'))
    socket.on('message', (data: Buffer) => {
      const first = data.toString('latin1', 0, 3)
      if (first === '3pr') {
        socket.send('5')
        socket.send(`42/comments,0["discussion:join",{"gameId":"${gameId}"}]`)
      } else if (first === '2') socket.send('3')
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

const BATCH_SIZE = 50

answerParent({
  async open(value) {
    // The bench sends an Opening only.
    const { port, gameId, count } = value as Opening
    for (let opened = 0; opened < count; opened += BATCH_SIZE) {
      const group = Math.min(BATCH_SIZE, count - opened)
      await Promise.all(Array.from({ length: group }, (_, index) => open(port, gameId, opened + index)))
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
