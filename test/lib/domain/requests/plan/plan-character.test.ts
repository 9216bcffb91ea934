import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import { insertGame, insertKeyedCharacter } from '../../../../support/rows/rows.ts'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'

const DUPLICATES = 'This game may already exist in the catalogue'

const scene = await useApprovalsScene()

type Facts = Record<string, unknown>
const insert = ({ name = 'Wick', ...facts }: Partial<CharacterDocument>) =>
  insertKeyedCharacter(scene.service.deps, { name, ...facts })
const request = (payload: Facts, targetId?: ObjectId) =>
  scene.insert({ kind: 'character', payload, ...(targetId && { action: 'update', targetId }) })
async function approve(payload: Facts, { targetId, ...body }: { targetId?: ObjectId; force?: boolean } = {}) {
  return await scene.decide(await request(payload, targetId), body)
}
async function read(_id: unknown): Promise<CharacterDocument> {
  const found = await scene.service.db.characters.findOne({ _id: new ObjectId(String(_id)) })
  if (found === null) throw new Error('the character is not there')
  return found
}
const hex = (ids: readonly ObjectId[] = []) => ids.map((id) => id.toHexString())
const insertHexGame = async () => (await insertGame(scene.service.db)).toHexString()

it('a new character has all picked fields, its derived keys and a slug', async () => {
  const gameIds = [await insertHexGame(), await insertHexGame()]
  const facts = { gender: 'female', species: 'Moth', countryName: 'Norway', description: '$name of the lamp' }
  const payload = { name: 'Élodie Wick', akas: ['The Moth', 'El'], ...facts, gameIds }
  const { body } = await approve(payload)
  const character = await read(body.request.resultId)
  expect(character).toMatchObject({
    name: 'Élodie Wick',
    slug: 'elodie-wick',
    akas: ['The Moth', 'El'],
    ...facts,
    nameKey: expect.any(String),
    lowerCaseNames: ['élodie wick', 'the moth', 'el'],
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
  })
  expect(hex(character.gameIds)).toEqual(gameIds)
  expect((await scene.service.guest.get('/characters/search?searchString=the+moth')).body.total).toBe(1)
})

it('a new character keeps the games that exist, each once', async () => {
  const game = await insertHexGame()
  const gameIds = [new ObjectId().toHexString(), game, game]
  const { body } = await approve({ name: 'Tallow', gameIds })
  expect(hex((await read(body.request.resultId)).gameIds)).toEqual([game])
  expect(body.request.appliedFields).toEqual(['name', 'gameIds'])
  expect(body.warnings).toEqual([`There is no game ${gameIds[0]}, so it was left out of "Games"`])
  const { body: alone } = await approve({ name: 'Snuff', gameIds: [new ObjectId().toHexString()] })
  expect(alone.request.appliedFields).toEqual(['name'])
  expect(alone.warnings).toHaveLength(1)
  expect((await read(alone.request.resultId)).gameIds ?? []).toEqual([])
})

it.each([
  ['its name', { name: 'BRAND the Bright' }],
  ['a name that is an aka there', { name: 'ember prince' }],
  ['an aka that is a name there', { name: 'Somebody', akas: ['x', 'Brand The Bright'] }],
  ['an aka that is one there', { name: 'Somebody', akas: ['EMBER PRINCE'] }],
  ['an aka there, its accent apart', { name: 'e\u0301lan' }],
])('409 with who it may be by %s, in any case', async (_, payload) => {
  const { characters } = scene.service.db
  const found =
    (await characters.findOne({ name: 'Brand the Bright' })) ??
    (await insert({ name: 'Brand the Bright', akas: ['Ember Prince', '\u00c9lan'] }))
  const { _id, name, slug } = found
  expect((await approve(payload)).body).toMatchObject({
    statusCode: 409,
    message: DUPLICATES,
    duplicates: [{ _id: _id.toHexString(), name, slug, score: 1 }],
  })
})

it('200 for a new character whose name is a part of another, or written otherwise', async () => {
  await insert({ name: 'Candela Grande', akas: ['La Candela'] })
  for (const name of ['Candela', 'Candela  Grande', 'Candela Grande II', 'Grande', 'Candéla Grande']) {
    expect((await approve({ name })).status, name).toBe(200)
  }
})

it('a new character may have the name of a character of other games only', async () => {
  const [wanted, other] = [await insertHexGame(), await insertHexGame()]
  const { _id } = await insert({ name: 'Flint', gameIds: [new ObjectId(other)] })
  expect((await approve({ name: 'flint', gameIds: [wanted] })).status).toBe(200)
  const { status, body } = await approve({ name: 'flint', gameIds: [new ObjectId().toHexString(), other] })
  expect({ status, duplicates: body.duplicates }).toMatchObject({
    status: 409,
    duplicates: [{ _id: _id.toHexString() }],
  })
  // Games that were not picked count as none.
  const unpicked = await scene.decide(await request({ name: 'flint', gameIds: [wanted] }), { fields: ['name'] })
  expect(unpicked.body.duplicates).toHaveLength(2)
})

it('a new character has its mug shot copied, and is made without one that fails', async () => {
  const { body } = await approve({ name: 'Portrait', mugShot: scene.host.link('png/1') })
  const { _id, mugShot = '' } = await read(body.request.resultId)
  expect(mugShot).toMatch(new RegExp(`^characters/${_id}/[0-9a-f]{24}$`))
  expect((await fetch(`${scene.service.baseUrl}/files/${mugShot}`)).status).toBe(200)

  const broken = scene.host.link('html/1')
  const failed = await approve({ name: 'Faceless', mugShot: broken })
  expect(failed.body).toMatchObject({
    request: { appliedFields: ['name'], failedFields: ['mugShot'] },
    failedImages: [broken],
  })
  expect(await read(failed.body.request.resultId)).not.toHaveProperty('mugShot')
})

it('a corrected character has the picked fields set and its keys renewed, and keeps its slug and all else', async () => {
  const stored = await insert({ name: 'Old Name', akas: ['First'], gender: 'male', description: 'Kept.' })
  // Another character of the new name is no reason to refuse a correction.
  await insert({ name: 'New Name' })
  const { status } = await approve({ name: 'New Name', akas: ['Second'], species: 'Owl' }, { targetId: stored._id })
  expect(status).toBe(200)
  const changed = await read(stored._id)
  const { nameKey: _, searchWords: __, searchRank: ___, alternativeKeys: ____, ...kept } = stored
  expect(changed).toMatchObject({
    ...kept,
    name: 'New Name',
    akas: ['Second'],
    species: 'Owl',
    lowerCaseNames: ['new name', 'second'],
    updatedAt: expect.any(Date),
  })
  expect(changed.updatedAt.getTime()).toBeGreaterThanOrEqual(stored.updatedAt.getTime())
  expect((await scene.service.guest.get('/characters/search?searchString=new+name')).body.results).toHaveLength(2)
  expect((await scene.service.guest.get('/characters/search?searchString=old+name')).body.results).toHaveLength(0)
})

it('a corrected character gets each existing game once, beside its stored games', async () => {
  const [first, second] = [await insertHexGame(), await insertHexGame()]
  const { _id } = await insert({ name: 'Traveller', gameIds: [new ObjectId(first)] })
  await approve({ gameIds: [second, first, new ObjectId().toHexString(), second] }, { targetId: _id })
  expect(hex((await read(_id)).gameIds)).toEqual([first, second])
})

it('a corrected character has the fields of all concurrent approvals', async () => {
  const { _id } = await insert({ name: 'Everywhere' })
  const games = await Promise.all(Array.from({ length: 6 }, insertHexGame))
  const requests = await Promise.all([
    ...games.map((game) => request({ gameIds: [game] }, _id)),
    request({ gender: 'unknown' }, _id),
    request({ akas: ['Nowhere'] }, _id),
  ])
  const answers = await Promise.all(requests.map((each) => scene.decide(each)))
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200))
  const character = await read(_id)
  expect(hex(character.gameIds).toSorted()).toEqual(games.toSorted())
  expect(character).toMatchObject({
    gender: 'unknown',
    akas: ['Nowhere'],
    lowerCaseNames: ['everywhere', 'nowhere'],
  })
})

it('a corrected character has its mug shot replaced, and only its old one deleted', async () => {
  const { _id } = await insert({ name: 'Poser' })
  const correct = async () => {
    const { body } = await approve({ mugShot: scene.host.link('png/1') }, { targetId: _id })
    expect(body.failedImages).toEqual([])
    return (await read(_id)).mugShot
  }
  const first = await correct()
  const second = await correct()
  expect(second).not.toBe(first)
  expect(await scene.objects()).toContain(second)
  expect(await scene.objects()).not.toContain(first)

  const { body } = await approve({ name: 'Neighbour', mugShot: scene.host.link('png/1') })
  const neighbour = await read(body.request.resultId)
  for (const mugShot of [neighbour.mugShot ?? '', 'https://images.example/1.png']) {
    await scene.service.db.characters.updateOne({ _id }, { $set: { mugShot } })
    await correct()
  }
  expect(await scene.objects()).toContain(neighbour.mugShot)
  await scene.service.db.characters.updateOne({ _id }, { $set: { mugShot: neighbour.mugShot ?? '' } })
  await scene.service.db.characters.deleteOne({ _id: neighbour._id })
  await correct()
  expect(await scene.objects()).toContain(neighbour.mugShot)
})

it('404 for a correction of a character that is gone, before any download', async () => {
  const before = scene.host.requests.length
  const gone = await request({ mugShot: scene.host.link('png/1') }, new ObjectId())
  expect(await scene.decide(gone)).toMatchObject({
    status: 404,
    body: { message: 'The character no longer exists' },
  })
  await scene.untouched(gone)
  expect(scene.host.requests.length).toBe(before)
})
