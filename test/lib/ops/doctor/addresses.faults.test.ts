import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { signProbe } from '#lib/domain/operations/probe'
import { listenLocally } from '../../../support/processes/listen-locally.ts'
import { runDoctor } from '../../../support/processes/run-doctor.ts'
import { useNginx } from '../../../support/processes/start-nginx.ts'
import { atEnd } from '../../../support/service/close-at-end.ts'
import { type TestService, useService } from '../../../support/service/start-service.ts'
import { useDatabase } from '../../../support/service/use-database.ts'

const JWT_SECRET = 'a secret of at least thirty-two characters'
const { uri: mongodbUri } = await useDatabase()
const start = (trustProxy: number) => useService({ mongodbUri, env: { TRUST_PROXY: String(trustProxy), JWT_SECRET } })
const [direct, proxied, twice] = [await start(0), await start(1), await start(2)]
const upstreams = { gamehall: [proxied.port], site: direct.port }
const nginx = {
  whole: await useNginx('alone', upstreams),
  beside: await useNginx('beside-site', upstreams),
  bare: await useNginx('alone', {
    ...upstreams,
    edit: (text) => text.replace(/^.* (Upgrade|X-Forwarded-For) .*\n/gm, ''),
  }),
}
const stranger = createServer((_request, response) => response.end('<h1>Welcome to nginx!</h1>'))
const strangerUrl = `http://127.0.0.1:${await listenLocally(stranger)}`
atEnd(() => stranger.close())

const doctor = (publicUrl: string, { port }: Pick<TestService, 'port'> = proxied) =>
  runDoctor(/^\w+ +(public|sockets|proxies|change stream of)/, {
    MONGODB_URI: mongodbUri,
    JWT_SECRET,
    PUBLIC_URL: publicUrl,
    PORT: String(port),
  })

it.each(['whole', 'beside'] as const)(
  'every line about the addresses is ok through the %s example of nginx',
  async (name) => {
    const { bad, text } = await doctor(nginx[name].baseUrl)
    expect(bad).toEqual([])
    expect(text).toContain('ok    proxies: 1 write X-Forwarded-For\n')
    expect(text).toContain('ok    sockets: upgraded\n')
  },
)

it('a TRUST_PROXY that is too low or too high is a failure that names the right number', async () => {
  const far = await useNginx('alone', { gamehall: [twice.port] })
  const unknown = await useNginx('alone', { gamehall: [direct.port] })
  expect((await doctor(far.baseUrl)).bad).toEqual([
    'fail  proxies: 1 write X-Forwarded-For and TRUST_PROXY is 2: clients can forge their address, so set TRUST_PROXY=1',
  ])
  expect((await doctor(unknown.baseUrl)).bad).toEqual([
    'fail  proxies: 1 write X-Forwarded-For and TRUST_PROXY is 0: limits see a proxy as one client, so set TRUST_PROXY=1',
  ])
})

it('an nginx without upgrades is a warning, and one without X-Forwarded-For a failure', async () => {
  expect((await doctor(nginx.bare.baseUrl)).bad).toEqual([
    expect.stringMatching(
      /^warn {2}sockets: no upgrade at \/socket\.io\/ \(.*400\): .* until the proxy passes Upgrade/,
    ),
    'fail  proxies: 0 write X-Forwarded-For and TRUST_PROXY is 1: clients can forge their address, so set TRUST_PROXY=0',
  ])
})

it('an address that leads elsewhere or nowhere is a failure beside a running service, and a warning beside none', async () => {
  expect((await doctor(strangerUrl)).bad).toEqual([
    `fail  public address: ${strangerUrl}: it answers 200, not as this service does; the service runs at http://127.0.0.1:${proxied.port}, so correct PUBLIC_URL, the proxy or the name`,
  ])
  const nowhere = await doctor('http://127.0.0.1:1')
  expect(nowhere.bad).toEqual([expect.stringMatching(/^fail {2}public address: .*fetch failed.*the service runs at/)])
  const none = await doctor('http://127.0.0.1:1', { port: 1 })
  expect(none.bad).toEqual([expect.stringMatching(/^warn {2}public address: .*no service .* answers at .*: start it/)])
})

it('a service of another release is a warning', async () => {
  const older = createServer((_request, response) => {
    response.end(JSON.stringify({ version: '0.9.0', trustProxy: 0, forwardedFor: null, isFeedLive: false }))
  })
  const url = `http://127.0.0.1:${await listenLocally(older)}`
  expect((await doctor(url)).bad).toEqual([
    expect.stringMatching(/^warn {2}public address: .* answers with 0\.9\.0, and this is .*: restart the service$/),
    expect.stringMatching(/^warn {2}sockets: /),
    expect.stringMatching(/^fail {2}change stream of the service: not live/),
  ])
  older.close()
})

it('404 as of an unknown address for every probe that this installation did not sign within a minute', async () => {
  const ask = async (path: string, token?: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.7', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${direct.baseUrl}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const unknown = await ask('/unknown')
  expect(unknown.status).toBe(404)
  const signed = (agoMs: number, secret = JWT_SECRET) => signProbe(secret, Date.now() - agoMs)
  const refused = [undefined, 'x', signed(61_000), signed(-120_000), signed(0, `${JWT_SECRET}!`), `${signed(0)}x`]
  for (const token of refused) expect(await ask('/console/probe', token)).toEqual(unknown)
  expect((await ask('/console/probe', signed(50_000))).status).toBe(200)
})
