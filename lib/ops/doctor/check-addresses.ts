import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Config } from '../../base/config.ts'
import { VERSION } from '../../base/version.ts'
import { type Finding, Probe } from '../../contract/measurements.ts'
import { signProbe } from '../../domain/operations/probe.ts'
import { type Checks, describeError, fail, ok, runChecks, warn } from '../../domain/operations/run-checks.ts'

const TIMEOUT_MS = 5_000

/** Asks the service at an address how this request arrived. @throws Error when this installation does not answer there */
async function probe(baseUrl: string, secret: string): Promise<Probe> {
  const options = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
  const headers = { authorization: `Bearer ${signProbe(secret, Date.now())}` }
  const answer = await fetch(`${baseUrl}/console/probe`, { headers, ...options })
  const { data } = Probe.safeParse(await answer.json().catch(() => undefined))
  if (data === undefined) throw new Error(`it answers ${answer.status}, not as this service does`)
  return data
}

/** Opens a WebSocket without polling first. @throws Error when no first packet arrives */
async function openSocket({ publicUrl, socketPath }: Config): Promise<void> {
  const origin = new URL(publicUrl).origin.replace(/^http/, 'ws')
  const socket = new WebSocket(`${origin}${socketPath}?EIO=4&transport=websocket`)
  try {
    await once(socket, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  } finally {
    socket.on('error', () => {}).terminate()
  }
}

const createChecks = (config: Config, { version, forwardedFor, trustProxy, isFeedLive }: Probe): Checks => ({
  'public address'() {
    const text = `${config.publicUrl} answers with ${version}`
    return version === VERSION ? ok(text) : warn(`${text}, and this is ${VERSION}: restart the service`)
  },
  async sockets() {
    const reason = await openSocket(config).catch(describeError)
    if (reason === undefined) return ok('upgraded')
    return warn(
      `no upgrade at ${config.socketPath} (${reason}): they poll until the proxy passes Upgrade and Connection`,
    )
  },
  proxies() {
    // The probe had no such header when it left.
    const hops = forwardedFor?.split(',').length ?? 0
    if (hops === trustProxy) return ok(`${hops} write X-Forwarded-For`)
    const harm = hops > trustProxy ? 'limits see a proxy as one client' : 'clients can forge their address'
    return fail(`${hops} write X-Forwarded-For and TRUST_PROXY is ${trustProxy}: ${harm}, so set TRUST_PROXY=${hops}`)
  },
  'change stream of the service': () =>
    isFeedLive ? ok('live') : fail('not live: nothing is cached, and other instances are not heard; see its log'),
})

/** Checks how the running service is reached. `isServed` is false where nobody answers at the public address. */
export async function checkAddresses(
  config: Config,
  secret: string,
): Promise<{ isServed: boolean; findings: Finding[] }> {
  const { host, port, publicUrl } = config
  const arrived = await probe(publicUrl, secret).catch(describeError)
  if (typeof arrived !== 'string') return { isServed: true, findings: await runChecks(createChecks(config, arrived)) }

  const local = `http://${/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host}:${port}`
  const isRunning = typeof (await probe(local, secret).catch(describeError)) !== 'string'
  const [state, text] = isRunning
    ? (['fail', `the service runs at ${local}, so correct PUBLIC_URL, the proxy or the name`] as const)
    : (['warn', `no service of this installation answers at ${local}: start it, and look again`] as const)
  return { isServed: false, findings: [{ check: 'public address', state, text: `${publicUrl}: ${arrived}; ${text}` }] }
}
