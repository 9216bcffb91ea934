import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestBucket } from '../../../support/processes/s3-bucket.ts'
import { insertCharacter, insertComment, insertConflict, insertFoundGame } from '../../../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { startService, type TestService } from '../../../support/service/start-service.ts'

const FOREIGN = 'https://images.example/foreign.png'
const FIELDS = { game: ['cover', 'screenshots', 'artworks'], character: ['mugShot'] }
const bucket = await openTestBucket()
afterAll(() => bucket.close())

type Place = 'local files' | 'a bucket'

/** Starts the services before and after the move; `base` is where the images are afterwards. */
async function move(place: Place) {
  const isLocal = place === 'local files'
  const before = await startApprovalsScene({
    ...(!isLocal && { bucket }),
    env: { PUBLIC_URL: 'http://old.example', ...(!isLocal && { S3_PUBLIC_URL: 'https://old-images.example' }) },
  })
  const env = { PUBLIC_URL: 'https://new.example', ...(!isLocal && { S3_PUBLIC_URL: 'https://new-images.example' }) }
  const after = await startService({ mongodbUri: before.env.MONGODB_URI, env: { ...before.env, ...env } })
  return { before, after, base: isLocal ? 'https://new.example/files' : 'https://new-images.example' }
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/** Stores a game and a character with images that an approval copied, and all documents that show these images. */
async function fill({ service, insert, decide, host }: ApprovalsScene) {
  const gameId = await insertFoundGame(service.db, 'Halcyon')
  const characterId = await insertCharacter(service.db, { name: 'Wick', nameKey: 'wick', searchWords: ['wick'] })
  const link = (path: string) => host.link(`png/${path}`)
  const payload = { cover: link('a'), screenshots: [link('b')], artworks: [link('c')] }
  const copied = [
    await insert({ action: 'update', targetId: gameId, payload }),
    await insert({ kind: 'character', action: 'update', targetId: characterId, payload: { mugShot: link('d') } }),
  ]
  for (const request of copied) {
    expect((await decide(request)).body).toMatchObject({ request: { status: 'approved' }, failedImages: [] })
  }
  await service.db.games.updateOne({ _id: gameId }, { $push: { screenshots: FOREIGN } })
  await insertComment(service.db, { gameId, userId: new ObjectId() })
  const candidates = [{ gameId, name: 'Halcyon', slug: 'halcyon', score: 50 }]
  const conflict = await insertConflict(service.db, { candidates })
  await insertConflict(service.db, { source: 'hltb', externalId: gameId.toHexString() })
  const paths = [
    `/games/${gameId}`,
    '/games/search?searchString=halcyon',
    `/games/by-ids?_ids=${gameId}`,
    '/discussions',
    `/characters/${characterId}`,
    '/characters/search?searchString=wick',
    `/conflicts/igdb/${conflict.externalId}`,
    `/conflicts/hltb/${gameId}`,
  ]
  return { gameId, characterId, paths }
}

const proposalOf = (target: Record<string, unknown>, kind: keyof typeof FIELDS) =>
  Object.fromEntries(FIELDS[kind].map((field) => [field, target[field]]))

/** Sends a proposal; `read` answers what its author and admins read of it. */
async function propose(service: TestService, body: Record<string, unknown>) {
  const [author, admin] = [await service.caller(), await service.caller({ isAdmin: true })]
  const sent = await author.post('/requests', { body: { action: 'update', ...body } })
  expect(sent.status).toBe(201)
  const { _id } = sent.body
  const read = async () => [
    (await admin.get(`/requests/${_id}`)).body,
    (await admin.get('/requests?status=pending')).body.results.find((row: { _id: string }) => row._id === _id),
    (await author.get('/requests/mine')).body.results[0],
  ]
  const approve = async () => (await admin.post(`/requests/${_id}/decision`, { body: { decision: 'approve' } })).body
  return { sent: sent.body, read, approve }
}

describe.each<Place>(['local files', 'a bucket'])('an installation with %s that has moved', async (place) => {
  const { before, after, base } = await move(place)
  const { gameId, characterId, paths } = await fill(before)
  const stored = async () => ({
    game: (await before.service.db.games.findOne({ _id: gameId })) ?? { cover: '', screenshots: [] },
    character: await before.service.db.characters.findOne({ _id: characterId }),
  })
  const admin = await after.caller({ isAdmin: true })
  afterAll(async () => {
    await after.close()
    await before.close()
  })

  it.each(paths)('200 %s has the images at their new address', async (path) => {
    const { status, body } = await admin.get(path)
    expect(status).toBe(200)
    const texts = listTexts(body)
    const { game, character } = await stored()
    const image = path.startsWith('/characters') ? character?.mugShot : game.cover
    expect(texts).toContain(`${base}/${image}`)
    expect(texts.filter((text) => /old\.example|old-images/.test(text))).toEqual([])
    if (path === `/games/${gameId}`) expect(body.screenshots).toEqual([expect.stringMatching(`^${base}/`), FOREIGN])
    if (place === 'local files') expect((await after.guest.get(`/files/${image}`)).status).toBe(200)
  })

  it.each(['game', 'character'] as const)('201 a proposal with the images of its %s is recognised', async (kind) => {
    const id = kind === 'game' ? gameId : characterId
    const [present, objects] = [(await after.guest.get(`/${kind}s/${id}`)).body, await before.objects()]
    const proposed = proposalOf(present, kind)
    if (kind === 'game') proposed.screenshots = [present.screenshots[0], before.host.link('png/new')]
    const proposal = await propose(after, { kind, targetId: id.toHexString(), payload: proposed })
    for (const { payload } of [proposal.sent, ...(await proposal.read())]) expect(payload).toEqual(proposed)
    expect((await proposal.read())[0].current).toEqual(proposalOf(present, kind))

    const sources = JSON.stringify((await before.service.db.contentRequests.findOne({ status: 'pending' }))?.payload)
    expect(sources).not.toContain(base)
    expect(await proposal.approve()).toMatchObject({
      failedImages: [],
      request: { appliedFields: Object.keys(proposed) },
    })
    const added = kind === 'game' ? [expect.stringMatching(`^${base}/screenshots/`)] : []
    const expected = { ...present, ...(kind === 'game' && { screenshots: [...present.screenshots, ...added] }) }
    const { updatedAt: _, ...now } = (await after.guest.get(`/${kind}s/${id}`)).body
    expect({ ...now, updatedAt: present.updatedAt }).toEqual(expected)
    expect(await before.objects()).toEqual(expect.arrayContaining(objects))
    expect(await before.objects()).toHaveLength(objects.length + added.length)
  })

  it("200 a game's screenshot proposed as its cover is copied like any other image", async () => {
    const { screenshots } = (await after.guest.get(`/games/${gameId}`)).body
    const proposal = await propose(after, {
      kind: 'game',
      targetId: gameId.toHexString(),
      payload: { cover: screenshots[0] },
    })
    // Nothing answers at the new address.
    expect((await proposal.approve()).failedImages).toEqual([screenshots[0]])
  })

  it('200 an approval deletes the images that it replaces', async () => {
    const { game, character } = await stored()
    const cover = before.host.link('png/next')
    for (const body of [
      { kind: 'game', targetId: gameId.toHexString(), payload: { cover } },
      { kind: 'character', targetId: characterId.toHexString(), payload: { mugShot: cover } },
    ]) {
      expect(await (await propose(after, body)).approve()).toMatchObject({ failedImages: [] })
    }
    await expect.poll(() => before.objects()).not.toEqual(expect.arrayContaining([game.cover]))
    await expect.poll(() => before.objects()).not.toEqual(expect.arrayContaining([character?.mugShot]))
    expect(await before.objects()).toContain(game.screenshots?.[0])
  })
})
