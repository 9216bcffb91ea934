import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { inject } from 'vitest'
import { serveLocally } from '../processes/listen-locally.ts'

export type Behaviour = (req: IncomingMessage, res: ServerResponse) => void

const answerWith =
  (status: number, headers: Record<string, string>, body?: string): Behaviour =>
  (req, res) => {
    // The connection is used again, so nothing of the body may stay in it.
    req.resume().on('end', () => res.writeHead(status, headers).end(body))
  }
const toXml = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret words</Message></Error>`

export const fail = (status: number, code?: string): Behaviour =>
  answerWith(status, { 'content-type': 'application/xml' }, code && toXml(code))
export const failAsProxy = answerWith(502, { 'content-type': 'text/html' }, '<html>Bad Gateway</html>')
export const redirectTo = (location: string): Behaviour => answerWith(307, { location })
export const cut: Behaviour = (req) => req.socket.destroy()
export const cutAnswer: Behaviour = (req, res) => {
  req.resume().on('end', () => {
    res.writeHead(500, { 'content-length': '1000' })
    res.write('<?xml', () => req.socket.destroy())
  })
}
export const stayMute: Behaviour = (req) => {
  req.resume()
}

export type S3StandIn = Awaited<ReturnType<typeof startS3StandIn>>

/** Passes requests on to another server. */
export const passOnTo =
  ({ hostname, port }: URL): Behaviour =>
  (req, res) => {
    // A signature includes the host that the client knows.
    const { method, url, headers } = req
    const onward = request({ hostname, port, method, path: url, headers, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  }

/** Starts a proxy to the run's S3 server, which misbehaves as a test says and passes every other request on. */
export async function startS3StandIn() {
  const passOn = passOnTo(new URL(inject('s3').endpoint))
  const requests: string[] = []
  const next: Behaviour[] = []
  let always: Behaviour | undefined

  const server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url?.split('?')[0]}`)
    const behave = always ?? next.shift() ?? passOn
    behave(req, res)
  })

  const { baseUrl: endpoint, close } = await serveLocally(server)
  return {
    endpoint,
    close,
    requests,
    /** Sets the behaviour of the next requests, one each, in order. */
    behave: (...behaviours: Behaviour[]) => void next.push(...behaviours),
    /** Sets the behaviour of all requests from now on; undefined passes them on again. */
    behaveAlways: (behaviour: Behaviour | undefined) => {
      always = behaviour
    },
  }
}
