import { ObjectId } from 'mongodb'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import { StorageError } from '#lib/infrastructure/storage/storage'
import { insertCharacter, insertGame, insertPlatform } from '../../../support/rows/rows.ts'
import { useApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { captureLog } from '../../../support/service/capture-log.ts'

const MINUTE = 60_000
const WAIT = { timeout: 20_000, interval: 20 }
const DECIDED = {
  statusCode: 409,
  error: 'Conflict',
  message: 'This request has already been decided, or another moderator is deciding it',
}
const REJECT = { decision: 'reject', reason: 'No such game' }

const { log, lines } = captureLog()
let neighbour: ContentRequestDocument
const scene = await useApprovalsScene({ log })
beforeEach(async () => {
  neighbour = await scene.insert({ kind: 'character', payload: { name: 'Somebody else' } })
})

const insertCharacterRequest = (payload: Record<string, unknown>, facts: Partial<ContentRequestDocument> = {}) =>
  scene.insert({ kind: 'character', payload, ...facts })
let names = 0
const newName = () => `Wick the ${++names}th`
const insertNew = (facts: Partial<ContentRequestDocument> = {}) => insertCharacterRequest({ name: newName() }, facts)
const find = (name: unknown) => scene.service.db.characters.find({ name: String(name) }).toArray()
const hex = ({ _id }: { _id: ObjectId }) => _id.toHexString()

it('200 with the approved request as an admin reads it, and writes all fields', async () => {
  const request = await insertNew({ sources: ['https://example.com/'], note: 'Mine', slot: 3 })
  const { status, body } = await scene.decide(request)

  expect(status).toBe(200)
  const [character] = await find(request.payload.name)
  expect(body).toMatchObject({
    request: {
      _id: hex(request),
      status: 'approved',
      appliedFields: ['name'],
      resultId: character?._id.toHexString(),
      resultSlug: character?.slug,
      decidedAt: expect.stringMatching(/Z$/),
      decidedBy: scene.admin.id,
      claimedAt: null,
    },
    failedImages: [],
    warnings: [],
  })
  expect((await scene.admin.get(`/requests/${hex(request)}`)).body).toEqual({ ...body.request, current: null })
  const stored = await scene.read(request)
  for (const key of ['slot', 'claimedAt', 'claimedBy', 'claimId']) expect(stored).not.toHaveProperty(key)
  expect(await scene.read(neighbour)).toEqual(neighbour)
})

it('200 with the picked fields alone, those that the payload does not have left out', async () => {
  const request = await insertCharacterRequest({ name: newName(), gender: 'female', species: 'Moth' })
  const { body } = await scene.decide(request, { fields: ['species', 'name', 'cover', 'name'], reason: '  Fine  ' })
  expect(body.request).toMatchObject({ appliedFields: ['name', 'species'], reason: 'Fine' })
  const [character] = await find(request.payload.name)
  expect(character).toMatchObject({ species: 'Moth' })
  expect(character).not.toHaveProperty('gender')
})

it.each([{ fields: [] }, { fields: ['species'] }])(
  '400 for $fields, which pick nothing of the payload',
  async ({ fields }) => {
    const message = 'Pick at least one field to apply'
    const request = await insertCharacterRequest({ name: 'Wick', gender: 'female' })
    expect(await scene.decide(request, { fields })).toMatchObject({
      status: 400,
      body: { message, issues: [{ path: 'fields', message }] },
    })
    expect(await scene.read(request)).toEqual(request)
  },
)

it('400 when a new entry loses its name and its source ids, while a correction needs none', async () => {
  const request = await scene.insert({ payload: { name: 'Lantern Keep', vndbId: 'v5', summary: 'Light.' } })
  expect(await scene.decide(request, { fields: ['summary'] })).toMatchObject({
    status: 400,
    body: { message: 'A new entry needs its name or a source id applied' },
  })
  expect(await scene.read(request)).toEqual(request)
  const character = await insertCharacterRequest({ name: 'Wick', gender: 'female' })
  expect((await scene.decide(character, { fields: ['gender'] })).status).toBe(400)
  scene.vndb.put({ id: 'v5', title: 'Vermilion Tundra' })
  const { body } = await scene.decide(request, { fields: ['vndbId'], lockSync: true })
  expect(body.request).toMatchObject({ appliedFields: ['vndbId'], resultSlug: 'vermilion-tundra' })
  const game = await scene.service.db.games.findOne({ _id: new ObjectId(String(body.request.resultId)) })
  expect(game).toMatchObject({ name: 'Vermilion Tundra', isStopParsing: true })
  expect(game).not.toHaveProperty('summary')
  const targetId = await insertCharacter(scene.service.db)
  const correction = await insertCharacterRequest({ name: 'Wick', gender: 'female' }, { action: 'update', targetId })
  expect((await scene.decide(correction, { fields: ['gender'] })).status).toBe(200)
})

it('404 comes before 400, and 400 before 409', async () => {
  for (const choice of [{ fields: [] }, REJECT]) {
    const { body } = await scene.decide({ _id: new ObjectId() }, choice)
    expect(body).toMatchObject({ statusCode: 404, message: 'Request not found' })
  }
  const decided = await insertNew({ status: 'approved' })
  expect((await scene.decide(decided, { fields: [] })).status).toBe(400)
  expect((await scene.decide(decided)).body).toEqual(DECIDED)
})

it('400 for a payload that this service did not store, rolled back', async () => {
  const request = await insertCharacterRequest({ name: newName(), height: 3 })
  expect((await scene.decide(request)).status).toBe(400)
  await scene.untouched(request)
})

it('200 with a warning for each reference that was dropped, and none of a field of which nothing is left is applied', async () => {
  const { service } = scene
  const [targetId, other] = [await insertGame(service.db), await insertGame(service.db)]
  await insertGame(service.db, { name: 'Ever17', vndb: { vnId: 'v17' } })
  const platform = await insertPlatform(service.db)
  const [gone, goneToo] = [new ObjectId().toHexString(), new ObjectId().toHexString()]
  const payload = {
    summary: 'New',
    platformIds: [gone, platform.toHexString()],
    release_dates: [{ date: 0, platformId: gone }],
    multiplayer_modes: [{ lanCoop: true, platformId: gone }],
    relatedGames: { dlcs: [targetId.toHexString()], ports: [goneToo] },
    parentGameId: other.toHexString(),
    vndbId: 'v17',
  }
  const insert = (picked: object) => scene.insert({ action: 'update', targetId, payload: { ...picked } })
  const { body } = await scene.decide(await insert(payload))

  expect(body.request).toMatchObject({
    appliedFields: ['summary', 'platformIds', 'parentGameId'],
    failedFields: [],
    status: 'approved',
  })
  const leftOut = (kind: string, id: string, field: string) =>
    `There is no ${kind} ${id}, so it was left out of "${field}"`
  expect(body.warnings).toEqual([
    'VNDB v17 already belongs to "Ever17"',
    leftOut('platform', gone, 'Platforms'),
    leftOut('platform', gone, 'Release dates'),
    leftOut('platform', gone, 'Multiplayer modes'),
    leftOut('game', goneToo, 'Related games'),
    'A game cannot be related to itself, so it was left out of "Related games"',
  ])
  const nothing = await scene.decide(await insert({ parentGameId: targetId.toHexString() }))
  expect(nothing.body).toMatchObject({
    request: { appliedFields: [] },
    warnings: ['A game cannot be related to itself, so it was left out of "Parent game"'],
  })
})

it('200 lists each failed link once, and the approval stands', async () => {
  const [broken, missing] = [scene.host.link('garbage/1'), scene.host.link('404/1')]
  const [cover, whole] = [missing, scene.host.link('png/1')]
  const payload = { name: 'Obsidian', screenshots: [broken, whole, missing], artworks: [broken], cover }
  const request = await scene.insert({ payload })
  const { status, body } = await scene.decide(request)
  expect(status).toBe(200)
  expect(body.failedImages).toEqual([missing, broken])
  const game = await scene.service.db.games.findOne({ name: 'Obsidian' })
  expect(game?.screenshots).toHaveLength(1)
  // A field without any copied image is not applied; a field with some of its images is in both lists.
  expect(body.request).toMatchObject({
    appliedFields: ['name', 'screenshots'],
    failedFields: ['screenshots', 'artworks', 'cover'],
  })
  const author = await scene.service.caller()
  await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { userId: new ObjectId(author.id) } })
  const [seen] = (await author.get('/requests/mine')).body.results
  expect(seen).toMatchObject({ appliedFields: ['name', 'screenshots'] })
  expect(seen).not.toHaveProperty('lastFailure')
})

it('200 for one of two approvals of one name at once, 409 for the other', async () => {
  const [before, objects] = [await scene.entries(), await scene.objects()]
  const cover = scene.host.link('png/cover')
  const names = ['Harbour Lights', 'HARBOUR lights']
  const requests = await Promise.all(names.map((name) => scene.insert({ payload: { name, cover } })))
  const answers = await Promise.all(requests.map((request) => scene.decide(request)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.duplicates).toHaveLength(1)
  expect((await scene.entries()).games).toBe(before.games + 1)
  expect(await scene.objects()).toHaveLength(objects.length + 1)
})

it('an approval goes on when its connection is closed', async () => {
  const request = await insertCharacterRequest({ name: newName(), mugShot: scene.host.link('held/closed') })
  const leaving = new AbortController()
  const answer = fetch(`${scene.service.baseUrl}/requests/${hex(request)}/decision`, {
    method: 'POST',
    headers: { cookie: scene.admin.cookie, 'content-type': 'application/json' },
    body: '{"decision":"approve"}',
    signal: leaving.signal,
  }).catch(() => 'left')
  await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
  leaving.abort()
  expect(await answer).toBe('left')
  scene.host.release()
  await vi.waitFor(async () => expect(await scene.read(request)).toMatchObject({ status: 'approved' }), WAIT)
  expect(await find(request.payload.name)).toHaveLength(1)
})

it('409 for everybody else while an approval runs, which the request shows', async () => {
  const author = await scene.service.caller()
  const payload = { name: newName(), mugShot: scene.host.link('held/running') }
  const request = await insertCharacterRequest(payload, { userId: new ObjectId(author.id), slot: 0 })
  const answer = scene.decide(request)
  await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
  const other = await scene.service.caller({ isAdmin: true })
  expect((await other.get(`/requests/${hex(request)}`)).body).toMatchObject({
    status: 'pending',
    claimedAt: expect.stringMatching(/Z$/),
    claimedBy: scene.admin.id,
  })
  expect((await scene.decide(request, {}, other)).body).toEqual(DECIDED)
  expect((await scene.decide(request, REJECT, other)).body).toEqual(DECIDED)
  expect((await scene.decide(request)).body).toEqual(DECIDED)
  expect((await author.delete(`/requests/${hex(request)}`)).body).toEqual(DECIDED)

  scene.host.release()
  expect((await answer).body.request).toMatchObject({ status: 'approved', decidedBy: scene.admin.id })
  expect((await scene.decide(request, {}, other)).body).toEqual(DECIDED)
})

it('200 for one of many admins at once, with one entry', async () => {
  const request = await insertNew()
  const admins = await Promise.all(Array.from({ length: 6 }, () => scene.service.caller({ isAdmin: true })))
  const answers = await Promise.all(
    admins.map((admin, index) => scene.decide(request, index % 3 === 2 ? REJECT : {}, admin)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  for (const { status, body } of answers) if (status === 409) expect(body).toEqual(DECIDED)
  const { status } = await scene.read(request)
  expect(await find(request.payload.name)).toHaveLength(status === 'approved' ? 1 : 0)
})

it.each([0, 14 * MINUTE])('409 while another claim is live, %i ms old', async (age) => {
  const request = await insertNew({ claimedAt: new Date(Date.now() - age), claimedBy: new ObjectId() })
  expect((await scene.decide(request)).body).toEqual(DECIDED)
  expect((await scene.decide(request, REJECT)).body).toEqual(DECIDED)
  expect(await scene.read(request)).toEqual(request)
})

it('409 for a possible duplicate, 200 when it is sent again with force', async () => {
  const name = newName()
  const _id = await insertCharacter(scene.service.db, { name, slug: 'a-wick', lowerCaseNames: [name.toLowerCase()] })
  const request = await insertCharacterRequest({ name, mugShot: scene.host.link('png/1') })
  const before = await scene.objects()
  expect((await scene.decide(request)).body).toEqual({
    statusCode: 409,
    error: 'Conflict',
    message: 'This game may already exist in the catalogue',
    duplicates: [{ _id: _id.toHexString(), name, slug: 'a-wick', score: 1 }],
  })
  await scene.untouched(request)
  expect(await scene.objects()).toEqual(before)
  expect((await scene.decide(request, { force: true })).status).toBe(200)
  expect(await find(name)).toHaveLength(2)
})

it('200 for a rejection with its reason, which writes nothing and ignores fields', async () => {
  const before = await scene.entries()
  const request = await insertNew({ slot: 1 })
  const { status, body } = await scene.decide(request, { ...REJECT, reason: ' $literal ', fields: [] })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    request: {
      status: 'rejected',
      reason: '$literal',
      decidedBy: scene.admin.id,
      decidedAt: expect.stringMatching(/Z$/),
      appliedFields: [],
      failedFields: [],
      resultId: null,
      claimedAt: null,
    },
    failedImages: [],
    warnings: [],
  })
  expect(await scene.read(request)).not.toHaveProperty('slot')
  expect(await scene.entries()).toEqual(before)
  expect(await scene.read(neighbour)).toEqual(neighbour)
})

it.each(['approved', 'rejected', 'withdrawn'] as const)(
  '409 for a decision of a request that is %s',
  async (status) => {
    const request = await insertNew({ status })
    expect((await scene.decide(request, REJECT)).body).toEqual(DECIDED)
    expect((await scene.decide(request)).body).toEqual(DECIDED)
    expect(await scene.read(request)).toEqual(request)
  },
)

const fail = async (request: ContentRequestDocument) => {
  const put = vi.spyOn(scene.service.deps.storage, 'put').mockRejectedValueOnce(new StorageError('down'))
  const answer = await scene.decide(request)
  put.mockRestore()
  expect(answer.status).toBe(503)
  return answer
}
const linesOf = ({ _id }: ContentRequestDocument) =>
  lines.filter(({ contentRequestId }) => contentRequestId === _id.toHexString())
const insertWithImage = () => insertCharacterRequest({ name: newName(), mugShot: scene.host.link('png/1') })
const counts = async () =>
  Object.fromEntries(
    Array.from(
      (await scene.service.guest.get('/metrics')).body.matchAll(/^gamehall_approvals_total\{result="(\w+)"\} (\d+)/gm),
      ([, result, count]: string[]) => [result, Number(count)],
    ),
  )

it('a failure is kept with its request id until the next decision', async () => {
  const request = await insertWithImage()
  const { body, headers } = await fail(request)
  const requestId = headers.get('x-request-id')
  expect(body.requestId).toBe(requestId)
  const read = async () => (await scene.admin.get(`/requests/${hex(request)}`)).body.lastFailure
  expect(await read()).toEqual({
    at: expect.stringMatching(/Z$/),
    message: 'The images cannot be stored at present, try again later',
    requestId,
  })
  expect(linesOf(request).map(({ msg }) => msg)).toEqual(['approval started', 'approval failed'])
  expect(new Set(linesOf(request).map((line) => line.requestId))).toEqual(new Set([requestId]))

  const approved = await scene.decide(request)
  expect(approved.body.request).toMatchObject({ status: 'approved', lastFailure: null })
  expect(await read()).toBeNull()
  const other = await insertWithImage()
  await fail(other)
  expect((await scene.decide(other, REJECT)).body.request).toMatchObject({ status: 'rejected', lastFailure: null })
})

it('a failure is logged and counted, also before the claim', async () => {
  const before = { approved: 0, refused: 0, failed: 0, ...(await counts()) }
  const approved = await insertNew()
  await scene.decide(approved)
  const refused = await scene.insert({ action: 'update', targetId: new ObjectId(), payload: { name: 'Gone' } })
  await scene.decide(refused)
  expect((await scene.decide(approved)).status).toBe(409)
  await fail(await insertWithImage())
  const unclaimed = await insertNew()
  const strike = scene.strikeAt('approval:claiming', () => {
    throw new Error('never arrived')
  })
  expect((await scene.decide(unclaimed)).status).toBe(500)
  strike.end()

  expect(await counts()).toEqual({
    approved: before.approved + 1,
    refused: before.refused + 2,
    failed: before.failed + 2,
  })
  const messages = (request: ContentRequestDocument) => linesOf(request).map(({ msg }) => msg)
  const done = ['approval started', 'approval copied its images', 'approval committed']
  expect(messages(approved)).toEqual([...done, 'approval refused'])
  expect(messages(refused)).toEqual(['approval started', 'approval refused'])
  expect(await scene.read(refused)).toMatchObject({ lastFailure: { message: 'The game no longer exists' } })
  expect(messages(unclaimed)[0]).toBe('approval failed')
})
