import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { S3Config } from '#lib/base/config'
import { createS3Storage } from '#lib/infrastructure/storage/s3-storage'
import { StorageError } from '#lib/infrastructure/storage/storage'
import { openTestBucket } from '../../../support/processes/s3-bucket.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'
import {
  cut,
  cutAnswer,
  fail,
  failAsProxy,
  redirectTo,
  type S3StandIn,
  startS3StandIn,
  stayMute,
} from '../../../support/stand-ins/s3-stand-in.ts'
import { errorOf } from '../../../support/tools/errors.ts'

const PNG = { bytes: pngOf(20), type: 'image/png' }

let standIn: S3StandIn

const bucket = await openTestBucket()
afterAll(() => bucket.close())
beforeEach(async () => {
  standIn = await startS3StandIn()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await standIn.close()
})

/** A storage behind the stand-in, with short timeouts where a test waits for its end. */
function open({
  callMs = 20_000,
  silenceMs = 5_000,
  ...s3
}: Partial<S3Config & { callMs: number; silenceMs: number }> = {}) {
  const config = { ...bucket.s3, endpoint: standIn.endpoint, ...s3 }
  return createS3Storage({ s3: config, timeouts: { callMs, silenceMs } })
}

function stubRegionAway() {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined)
  vi.stubEnv('HOME', '/nowhere')
}

async function failureOf(work: Promise<unknown>): Promise<StorageError> {
  const error = await errorOf(work)
  if (!(error instanceof StorageError)) throw new Error(`no StorageError: ${error}`)
  return error
}

test.each([
  ['500 twice', [fail(500, 'InternalError'), fail(500, 'InternalError')]],
  ['503 with no word', [fail(503)]],
  ['SlowDown', [fail(503, 'SlowDown')]],
  ['429', [fail(429, 'TooManyRequests')]],
  ['a page of a proxy', [failAsProxy]],
  ['a connection that is cut', [cut, cut]],
  ['an answer that is cut', [cutAnswer]],
])('a call is repeated after %s', async (_name, behaviours) => {
  const storage = open()
  const key = newKey()
  standIn.behave(...behaviours)

  await storage.put(key, PNG)

  expect(standIn.requests).toEqual(Array(behaviours.length + 1).fill(`PUT /${bucket.s3.bucket}/${key}`))
  expect(await bucket.head(key)).toMatchObject({ ContentType: 'image/png', ContentLength: PNG.bytes.length })
  standIn.behave(...behaviours)
  await storage.delete([key])
  expect(await bucket.listKeys()).not.toContain(key)
})

test('a call fails at its time when the server never answers', async () => {
  const storage = open({ callMs: 2_000, silenceMs: 200 })
  standIn.behaveAlways(stayMute)

  const { message } = await failureOf(storage.put(newKey(), PNG))

  expect(message).toBe(`The object storage at ${new URL(standIn.endpoint).host} did not answer in time`)
  expect(standIn.requests.length).toBeGreaterThan(1)
})

test('a call fails at its time when the server cannot be reached', async () => {
  const storage = open({ callMs: 1_000, endpoint: 'http://127.0.0.1:9' })

  expect((await failureOf(storage.delete([newKey(), newKey()]))).message).toBe(
    'The object storage at 127.0.0.1:9 cannot be reached (ECONNREFUSED)',
  )
})

test("a call fails with the server's word when the server always fails", async () => {
  const storage = open({ callMs: 1_500 })
  standIn.behaveAlways(fail(503, 'SlowDown'))

  expect((await failureOf(storage.put(newKey(), PNG))).message).toMatch(/ failed at .* \(503 SlowDown\)$/)
  expect(standIn.requests.length).toBeGreaterThan(1)
})

const wrong = {
  AWS_ACCESS_KEY_ID: 'SOMEBODY-ELSE',
  AWS_SECRET_ACCESS_KEY: 'tell-nobody',
}

test.each([
  ['an access key that nobody has', { ...wrong }, / refused .* \(403 InvalidAccessKeyId\)$/],
  ['a wrong secret', { ...wrong, AWS_ACCESS_KEY_ID: 'tests' }, / refused .* \(403 SignatureDoesNotMatch\)$/],
])('a call with %s is tried once, and its error has no credentials', async (_name, env, sentence) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const storage = open()

  const first = await failureOf(storage.put(newKey(), PNG))
  const second = await failureOf(storage.delete([newKey()]))

  expect(first.message).toMatch(sentence)
  expect(second.message).toBe(first.message)
  expect(standIn.requests).toHaveLength(2)
  expect(JSON.stringify([first, first.stack, first.cause])).not.toMatch(/SOMEBODY-ELSE|tell-nobody/)
})

test('a call without credentials fails at once', async () => {
  for (const name of Object.keys(wrong)) vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('HOME', '/nowhere')
  const storage = open()

  expect((await failureOf(storage.put(newKey(), PNG))).message).toMatch(/ cannot be used: Could not load /)
  expect(standIn.requests).toEqual([])
})

test('a call without a region and a server fails at once', async () => {
  stubRegionAway()
  const storage = createS3Storage({ s3: { ...bucket.s3, endpoint: undefined, region: undefined } })

  expect((await failureOf(storage.put(newKey(), PNG))).message).toMatch(/ cannot be used: Region is missing$/)
})

test('a call that is redirected is tried once, and does not follow', async () => {
  const elsewhere = await startS3StandIn()
  const storage = open()
  standIn.behave(redirectTo(`${elsewhere.endpoint}/b/k`))

  expect((await failureOf(storage.put(newKey(), PNG))).message).toMatch(/ refused a request to the bucket /)
  expect(elsewhere.requests).toEqual([])
  await elsewhere.close()
})

test('a call that is refused is tried once, and its error has no text of the server', async () => {
  const storage = open()
  standIn.behave(fail(404, 'NoSuchBucket'), fail(501, 'NotImplemented'))

  const reasons = [await failureOf(storage.put(newKey(), PNG)), await failureOf(storage.put(newKey(), PNG))]
  expect(reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ refused a request to the bucket ".+" \(404 NoSuchBucket\)$/),
    expect.stringMatching(/ failed at a request to the bucket ".+" \(501 NotImplemented\)$/),
  ])
  expect(standIn.requests).toHaveLength(2)
  expect(JSON.stringify(reasons)).not.toContain('secret words')
})

test('an aborted call ends at once although the server is silent', async () => {
  const storage = open()
  const giveUp = new AbortController()
  standIn.behaveAlways(() => giveUp.abort())

  expect((await failureOf(storage.put(newKey(), PNG, { signal: giveUp.signal }))).message).toMatch(/given up$/)
  expect(storage.mayStoreAfterFailure).toBe(true)
  expect(standIn.requests).toHaveLength(1)
})

test('an object that cannot be deleted does not keep the others from deletion', async () => {
  const storage = open()
  const keys = Array.from({ length: 12 }, () => newKey())
  await Promise.all(keys.map((key) => storage.put(key, PNG)))
  standIn.behave(fail(403, 'AccessDenied'))

  await failureOf(storage.delete(keys))

  expect((await bucket.listKeys()).filter((key) => keys.some((each) => each === key))).toHaveLength(1)
})

test('a compatible server needs no region, and gets no checksum and no question before a large upload', async () => {
  stubRegionAway()
  const storage = open({ region: undefined })
  const names = new Set<string>()
  standIn.behaveAlways((req, res) => {
    for (const name of Object.keys(req.headers)) names.add(name)
    expect(req.headers.authorization).toContain('/us-east-1/s3/')
    req.resume().on('end', () => res.writeHead(200).end())
  })

  await storage.put(newKey(), { bytes: pngOf(5_000_000), type: 'image/png' })

  expect([...names].filter((name) => /checksum|crc32|expect|trailer/.test(name))).toEqual([])
})
