import { WebSocket } from 'ws'
import type { Config } from '../../base/config.ts'
import { VERSION } from '../../base/version.ts'
import { type Finding, Probe } from '../../contract/measurements.ts'
import { signProbe } from '../../domain/operations/probe.ts'
import { type Checks, describeError, fail, ok, runChecks, warn } from '../../domain/operations/run-checks.ts'

const TIMEOUT_MS = 5_000

/** Asks the service at an address how a request of this installation arrives. @throws Error with the reason of none */
async function probe(baseUrl: string, secret: string): Promise<Probe> {
  const headers = { authorization: `Bearer ${signProbe(secret, Date.now())}` }
  const answer = await fetch(`${baseUrl}/console/probe`, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { data } = Probe.safeParse(await answer.json().catch(() => undefined))
  if (data === undefined) throw new Error(`it answers ${answer.status}, not as this service does`)
  return data
}

/** Opens a socket without polling first, and resolves with undefined, or with what a proxy answered instead. */
const openSocket = ({ publicUrl, socketPath }: Config) =>
  new Promise<string | undefined>((resolve) => {
    const url = `${new URL(publicUrl).origin.replace(/^http/, 'ws')}${socketPath}?EIO=4&transport=websocket`
    const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS })
    const end = (reason?: string) => {
      resolve(reason)
      socket.terminate()
    }
    const timer = setTimeout(end, TIMEOUT_MS, 'no packet came')
    socket.on('message', () => end())
    socket.on('unexpected-response', (_request, { statusCode }) => end(`the answer was ${statusCode}`))
    socket.on('error', (error) => end(error.message))
    socket.on('close', () => clearTimeout(timer))
  })

/** Compares the proxies that wrote into a request, which had no such header before, with those that the service trusts. */
function judgeProxies({ forwardedFor, trustProxy }: Probe) {
  const hops = forwardedFor?.split(',').length ?? 0
  if (hops === trustProxy) return ok(`${hops} write X-Forwarded-For`)
  const harm = hops > trustProxy ? 'limits see a proxy as one client' : 'clients can forge their address'
  return fail(`${hops} write X-Forwarded-For and TRUST_PROXY is ${trustProxy}: ${harm}, so set TRUST_PROXY=${hops}`)
}

const createChecks = (config: Config, arrived: Probe): Checks => ({
  'public address'() {
    const text = `${config.publicUrl} answers with ${arrived.version}`
    return arrived.version === VERSION ? ok(text) : warn(`${text}, and this is ${VERSION}: restart the service`)
  },
  async sockets() {
    const reason = await openSocket(config)
    if (reason === undefined) return ok('upgraded')
    return warn(
      `no upgrade at ${config.socketPath} (${reason}): sockets stay on polling until the proxy passes Upgrade and Connection`,
    )
  },
  proxies: () => judgeProxies(arrived),
  'change stream of the service': () =>
    arrived.isFeedLive
      ? ok('live')
      : fail('not live: nothing is cached, and other instances are not heard; see its log'),
})

/** Checks how the running service is reached. @returns false in `isServed` where nobody answers at the public address */
export async function checkAddresses(
  config: Config,
  secret: string,
): Promise<{ isServed: boolean; findings: Finding[] }> {
  const { host, port, publicUrl } = config
  const local = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  const arrived = await probe(publicUrl, secret).catch(describeError)
  if (typeof arrived !== 'string') return { isServed: true, findings: await runChecks(createChecks(config, arrived)) }

  const isRunning = await probe(local, secret).then(
    () => true,
    () => false,
  )
  const findings = await runChecks({
    'public address': () =>
      isRunning
        ? fail(`${publicUrl}: ${arrived}; the service runs at ${local}, so correct PUBLIC_URL, the proxy or the name`)
        : warn(
            `${publicUrl}: ${arrived}; no service of this installation answers at ${local}: start it, and look again`,
          ),
  })
  return { isServed: false, findings }
}
