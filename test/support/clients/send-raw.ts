import { connect } from 'node:net'

/** Sends bytes as they are and reads until the service closes the connection, or nothing came for `idleMs`. */
export function sendRaw(port: number, request: string | readonly string[], idleMs = 10_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1')
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (answer === '') reject(error)
    })
    socket.on('close', () => resolve(answer))
    for (const part of [request].flat()) socket.write(part, 'latin1')
  })
}
