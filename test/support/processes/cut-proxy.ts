import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from './listen-locally.ts'

/** Starts a proxy to a port. It cuts connections, and holds back or loses commands. */
export async function startCutProxy(target: number, hostname = '127.0.0.1') {
  const sockets = new Set<Socket>()
  let isCut = false
  let awaitedWords: string[] | undefined
  let refusedWord: string | undefined
  let heldWord: string | undefined
  const held: (() => void)[] = []
  let isMute = false
  let delayMs = 0

  function drop() {
    for (const socket of sockets) socket.destroy()
  }
  function cut() {
    isCut = true
    isMute = false
    drop()
  }

  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(target, hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (refusedWord !== undefined && bytes.includes(refusedWord)) {
        refusedWord = undefined
        return cut()
      }
      if (heldWord !== undefined && bytes.includes(heldWord)) return held.push(() => upstream.write(bytes))
      if (awaitedWords?.every((word) => bytes.includes(word))) {
        awaitedWords = undefined
        isMute = true
        upstream.once('data', cut)
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isMute) return
      if (delayMs === 0) client.write(bytes)
      else setTimeout(() => client.write(bytes), delayMs)
    })
  })
  const port = await listenLocally(server)

  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    /** Ends every connection; what is opened next gets through. */
    drop,
    /** Ends every connection and takes no new one. */
    cut,
    restore: () => {
      isCut = false
    },
    /** Lets the next command with these words be carried out, then cuts before its answer comes through. */
    cutAfterCommand: (...words: string[]) => {
      awaitedWords = words
    },
    /** Cuts instead of letting the next command with this word through. */
    cutBeforeCommand: (word: string) => {
      refusedWord = word
    },
    /** Holds back every command that contains this word, until the returned function is called. */
    holdCommands(word: string) {
      heldWord = word
      return () => {
        heldWord = undefined
        for (const send of held.splice(0)) send()
      }
    },
    delayAnswers: (ms: number) => {
      delayMs = ms
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
