import { afterAll, beforeEach, expect, test } from 'vitest'
import { ImageError } from '#lib/infrastructure/images/images'
import { isPublicAddress } from '#lib/infrastructure/images/link-guard'
import { startImageHost } from '../../../support/stand-ins/image-host.ts'
import { openImages } from './open-images.ts'

/** A private host, which only the control tests reach. */
const secret = await startImageHost()
/** A host that some tests exempt. It redirects to the private one. */
const host = await startImageHost()
afterAll(() => Promise.all([secret.close(), host.close()]))
beforeEach(() => {
  secret.requests.length = 0
  host.requests.length = 0
})

const PRIVATE = new ImageError('the address is private')

/** Allows the port of the private host, so that the address alone decides. */
const openWithPort = (options: Parameters<typeof openImages>[0] = {}) =>
  openImages({ ...options, limits: { ports: [80, 443, secret.port], ...options.limits } })

/** Spellings of 127.0.0.1 in a link. Each of them reaches the private host without the guard. */
const LOOPBACK_HOSTS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
]

/** One address of each kind; `NOT_PUBLIC` has all ranges. */
const OTHER_HOSTS = [
  'localhost',
  'LOCALHOST.',
  'ⓛocalhost',
  '%6cocalhost',
  'images.localhost',
  '10.0.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '[::1]',
  '[::ffff:7f00:1]',
  '[fd00:ec2::254]',
]

test.each([...LOOPBACK_HOSTS, ...OTHER_HOSTS])('a link to %s is refused', async (name) => {
  const images = openWithPort()

  for (const scheme of ['http', 'https'])
    await expect(images.fetch(`${scheme}://${name}:${secret.port}/png`)).rejects.toThrow(PRIVATE)
  expect(secret.requests).toEqual([])
  expect(secret.sockets.size).toBe(0)
})

test.each(LOOPBACK_HOSTS)('a link to %s reaches the server without the guard', async (name) => {
  await openWithPort({ isPublic: () => true }).fetch(`http://${name}:${secret.port}/png`)

  expect(secret.requests).toHaveLength(1)
})

test.each([
  'http:\\\\127.1',
  'http:127.0.0.1',
  'http:/127.0.0.1',
  ' \t\nhttp://127.0.0.1',
  'ht\ntp://127.0.\t0.1',
  'HTTP://127.0.0.1',
])('a link that begins %j is refused', async (start) => {
  await expect(openWithPort().fetch(`${start}:${secret.port}/png`)).rejects.toThrow(PRIVATE)
  expect(secret.requests).toEqual([])
})

const REFUSED_LINKS = {
  'the link is not an http(s) URL': [
    'ftp://images.example/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ws://images.example/',
  ],
  'the link is not a valid URL': [
    '',
    'no link',
    '/png',
    '//images.example/a.png',
    'http://',
    'http://[fe80::1%25lo]/',
    'http://256.1.1.1/',
    'http://a b/',
  ],
  'the port is not 80 or 443': [
    'http://images.example:8080/',
    'http://images.example:22/',
    'https://images.example:8443/',
    'http://8.8.8.8:3228/',
  ],
}

test.each(Object.entries(REFUSED_LINKS))('a link is refused where %s', async (message, links) => {
  for (const link of links) await expect(openImages().fetch(link), link).rejects.toThrow(new ImageError(message))
})

test.each(['user@', 'user:password@', ':password@'])(
  'a link with %s is refused, exempt or not',
  async (credentials) => {
    const images = openImages({ allow: [host.place] })

    for (const place of ['images.example', host.place])
      await expect(images.fetch(`http://${credentials}${place}/png`)).rejects.toThrow(
        new ImageError('the link contains credentials'),
      )
    expect(host.requests).toEqual([])
  },
)

test('a link may have 2048 characters', async () => {
  const images = openImages({ allow: [host.place] })
  const longest = host.link('png/').padEnd(2_048, 'x')
  await images.fetch(longest)

  await expect(images.fetch(`${longest}x`)).rejects.toThrow(new ImageError('the link is longer than 2048 characters'))
  expect(host.requests).toHaveLength(1)
})

const redirectTo = (to: string) => host.link(`redirect?to=${encodeURIComponent(to)}`)

test.each([
  'http://0x7f.1:PORT/png',
  ...OTHER_HOSTS.map((name) => `http://${name}:PORT/png`),
  'https://127.0.0.1:PORT/png',
  '//127.0.0.1:PORT/png',
  '\\\\127.0.0.1:PORT/png',
  '//localhost:PORT/png',
])('a redirect to %s is refused', async (to) => {
  const images = openWithPort({ allow: [host.place] })
  const link = redirectTo(to.replace('PORT', String(secret.port)).replace(/[^\x20-\x7e]/g, encodeURIComponent))

  await expect(images.fetch(link)).rejects.toThrow(PRIVATE)
  expect(host.requests).toHaveLength(1)
  expect(secret.requests).toEqual([])
})

test.each([
  ['file:///etc/passwd', 'the link is not an http(s) URL'],
  ['data:image/png;base64,AAAA', 'the link is not an http(s) URL'],
  ['http://user:password@images.example/', 'the link contains credentials'],
  ['http://images.example:8080/', 'the port is not 80 or 443'],
  ['http://[bad', 'the link is not a valid URL'],
  [`/${'x'.repeat(2_048)}`, 'the link is longer than 2048 characters'],
])('a redirect to %s is refused like a link', async (to, message) => {
  await expect(openImages({ allow: [host.place] }).fetch(redirectTo(to))).rejects.toThrow(new ImageError(message))
})

const ME = { address: '127.0.0.1', family: 4 }
const isPublic = (address: string) => address === ME.address
const link = () => `http://images.example:${secret.port}/png`

test.each([
  { address: '10.0.0.1', family: 4 },
  { address: '169.254.169.254', family: 4 },
  { address: '::1', family: 6 },
  { address: '::ffff:127.0.0.1', family: 6 },
])('a host name one of whose addresses is $address is refused', async (other) => {
  for (const addresses of [[other], [ME, other], [other, ME]]) {
    const images = openWithPort({ isPublic, resolve: async () => addresses })
    await expect(images.fetch(link())).rejects.toThrow(PRIVATE)
  }
  expect(secret.requests).toEqual([])
})

test('a host name is resolved once for a connection, and the connection goes to what was checked', async () => {
  const answers = [ME, { address: '127.0.0.2', family: 4 }]
  const resolved: string[] = []
  const images = openWithPort({
    isPublic,
    resolve: async (name) => {
      resolved.push(name)
      return answers.slice(resolved.length - 1, resolved.length)
    },
  })
  await images.fetch(link())
  expect(resolved).toEqual(['images.example'])

  await expect(images.fetch(link())).rejects.toThrow(PRIVATE)
  expect(resolved).toHaveLength(2)
  expect(secret.requests).toHaveLength(1)
})

test('a host name is resolved anew for a redirect to itself', async () => {
  const answers = [[ME], [{ address: '127.0.0.2', family: 4 }]]
  const images = openWithPort({ isPublic, resolve: async () => answers.shift() ?? [] })

  await expect(images.fetch(`http://images.example:${secret.port}/redirect?to=/png`)).rejects.toThrow(PRIVATE)
  expect(secret.requests.map(({ path }) => path)).toEqual(['/redirect?to=/png'])
})

test('a host name whose connection ends elsewhere gets no request', async () => {
  const verdicts = [true, false]
  const images = openWithPort({ isPublic: () => verdicts.shift() ?? false, resolve: async () => [ME] })

  await expect(images.fetch(link())).rejects.toThrow(PRIVATE)
  expect(verdicts).toEqual([])
  expect(secret.requests).toEqual([])
  await expect.poll(() => secret.sockets.size).toBe(0)
})

test('a host name without an address is unknown', async () => {
  const unknown = new ImageError('its host is unknown')
  const failing = openWithPort({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })

  await expect(openWithPort({ resolve: async () => [] }).fetch(link())).rejects.toThrow(unknown)
  await expect(failing.fetch(link())).rejects.toThrow(unknown)
  // The resolver of a machine may take long for its answer.
  const patient = openImages({ limits: { connectMs: 50_000, totalMs: 50_000 } })
  await expect(patient.fetch('http://images.invalid/png')).rejects.toThrow(unknown)
})

test('a host name with a dot at its end is the same name', async () => {
  const images = openWithPort({ isPublic, resolve: async (name) => (name === 'images.example.' ? [ME] : []) })
  await images.fetch(`http://images.example.:${secret.port}/png`)

  expect(secret.requests).toHaveLength(1)
})

const igdbAt = (imagesUrl: string) => ({
  IGDB_CLIENT_ID: 'id',
  IGDB_CLIENT_SECRET: 'secret',
  IGDB_IMAGES_URL: imagesUrl,
})

test('an exempt place is reached although it is private', async () => {
  await openImages({ allow: [host.place] }).fetch(host.link('png'))
  await openImages({ allow: [`localhost:${host.port}`] }).fetch(`http://localhost:${host.port}/png`)
  await openImages({ allow: [`127.1:${host.port}`] }).fetch(`http://2130706433:${host.port}/png`)

  expect(host.requests).toHaveLength(3)
})

test('an exempt place is this host and port alone', async () => {
  const images = openWithPort({ allow: [host.place] })
  await expect(images.fetch(secret.link('png'))).rejects.toThrow(PRIVATE)

  const byName = openWithPort({ allow: [`localhost:${secret.port}`] })
  for (const name of ['127.0.0.1', 'localhost.', 'images.localhost'])
    await expect(byName.fetch(`http://${name}:${secret.port}/png`)).rejects.toThrow(PRIVATE)
  await expect(byName.fetch('http://localhost/png')).rejects.toThrow(PRIVATE)
  expect(secret.requests).toEqual([])
})

test('an exempt place may redirect to itself', async () => {
  await openImages({ allow: [host.place] }).fetch(host.link('redirect?to=/png'))

  expect(host.requests.map(({ path }) => path)).toEqual(['/redirect?to=/png', '/png'])
})

test('an exempt place is the image host of IGDB as it is configured, for links of a source alone', async () => {
  const images = openWithPort({ env: { ...igdbAt(secret.link('igdb/image/upload')), IMAGE_FETCH_ALLOW: host.place } })
  await images.fetch(secret.link('png'), { isOfSource: true })
  expect(secret.requests).toHaveLength(1)

  for (const link of [secret.link('png'), redirectTo(secret.link('png'))])
    await expect(images.fetch(link)).rejects.toThrow(PRIVATE)
  expect(secret.requests).toHaveLength(1)
})

test('an exempt place is no other than the image host of IGDB for links of a source', async () => {
  const images = openWithPort({ env: igdbAt(host.link('igdb/image/upload')) })

  for (const link of [secret.link('png'), redirectTo(secret.link('png'))])
    await expect(images.fetch(link, { isOfSource: true })).rejects.toThrow(PRIVATE)
  expect(host.requests).toHaveLength(1)
  expect(secret.requests).toEqual([])
})

const PUBLIC = ['1.1.1.1', '8.8.8.8', '11.0.0.1', '172.32.0.1', '193.0.0.1', '223.255.255.255', '2606:4700::1111']

const NOT_PUBLIC = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  unspecified: ['::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1'],
  'shared with a carrier': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', 'fe80::1', 'febf::1', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '240.0.0.1',
    '255.255.255.255',
    '192.0.0.1',
    '192.88.99.1',
    '4000::1',
    '100::1',
    '100:0:0:1::1',
    '5f00::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'the metadata of clouds': ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
  'IPv4 as IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  'NAT64, 6to4 and Teredo': ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '2001:0:7f00:1::'],
  'identifiers, no addresses': ['2001:10::1', '2001:20::1', '2001:30::1'],
  'an interface of its own': ['fe80::1%eth0', '2606:4700::1111%eth0'],
  'no canonical address': ['127.1', '2130706433', '0x7f000001', '010.0.0.1', '8.8.8.8.', '8.8.8', 'localhost', ''],
}

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(Object.entries(NOT_PUBLIC))('%s is not public', (_, addresses) => {
  expect(addresses.filter((address) => isPublicAddress(address))).toEqual([])
})
