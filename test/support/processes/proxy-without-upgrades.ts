import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { listenLocally } from './listen-locally.ts'

/** A proxy that passes requests on to a port and refuses upgrades, as some do. */
export async function startProxyWithoutUpgrades(target: number) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const onward = request({ host: '127.0.0.1', port: target, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  proxy.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'))
  return {
    baseUrl: `http://127.0.0.1:${await listenLocally(proxy)}`,
    async close() {
      const closed = once(proxy, 'close')
      proxy.close()
      proxy.closeAllConnections()
      await closed
    },
  }
}
