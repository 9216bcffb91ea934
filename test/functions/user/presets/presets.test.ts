import { ObjectId } from 'mongodb'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { useService } from '../../../support/service/start-service.ts'

let alice: Caller
let bob: Caller
let admin: Caller

const save = (caller: Caller, body: unknown, owner = caller.id) => caller.put(`/user/presets/${owner}`, { body })
const remove = (caller: Caller, name: string, owner = caller.id) =>
  caller.delete(`/user/presets/${owner}?name=${encodeURIComponent(name)}`)
const listed = async (caller: Caller) => (await caller.get(`/user/presets/${caller.id}`)).body.presets
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `p${index}`, preset: 'x' }))

async function store(caller: Caller, presets: { name: string; preset: string }[]) {
  const now = new Date()
  await service.db.presets.insertOne({ _id: new ObjectId(caller.id), presets, createdAt: now, updatedAt: now })
}

const service = await useService()
beforeEach(async () => {
  await service.db.presets.deleteMany({})
  alice = await service.caller()
  bob = await service.caller()
  admin = await service.caller({ isAdmin: true })
})

test('200 with all presets, the new one last', async () => {
  await save(bob, { name: 'one', preset: 'theirs' })
  await save(alice, { name: 'one', preset: 'first' })
  const answer = await save(alice, { name: 'two', preset: 'second' })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    _id: alice.id,
    presets: [
      { name: 'one', preset: 'first' },
      { name: 'two', preset: 'second' },
    ],
  })
  expect(await listed(bob)).toEqual([{ name: 'one', preset: 'theirs' }])
})

test('200: a preset of the same name is replaced in its place; names differ by case, and not by the composition of an accent', async () => {
  for (const name of ['caf\u00e9', 'two', 'CAF\u00c9']) await save(alice, { name, preset: 'old' })
  const answer = await save(alice, { name: 'cafe\u0301', preset: '' })
  expect(answer.body.presets).toEqual([
    { name: 'caf\u00e9', preset: '' },
    { name: 'two', preset: 'old' },
    { name: 'CAF\u00c9', preset: 'old' },
  ])
})

test.each(['$name', '$$NOW', 'a.b.c', '.', '$where', '__proto__', '{"$gt":""}', ' a  ', '❤️', '名前'])(
  'a name like %j, and such a preset, are text',
  async (name) => {
    await save(alice, { name: 'other', preset: 'stays' })
    await save(alice, { name, preset: 'old' })
    const answer = await save(alice, { name, preset: '$presets' })
    expect(answer.body.presets).toEqual([
      { name: 'other', preset: 'stays' },
      { name, preset: '$presets' },
    ])
  },
)

test.each(['', '  ', '\u0000', 'a\u200bb', '\u3164'])(
  '400 for a name like %j, in which something does not show',
  async (name) => {
    const { status, body } = await save(alice, { name, preset: 'x' })
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'A preset name has 1 to 100 characters, all of which can be seen',
    })
  },
)

test.each(['a'.repeat(102_400), 'é'.repeat(51_200), '😀'.repeat(25_600), `${'漢'.repeat(34_133)}a`])(
  '200 for 102,400 bytes of UTF-8, 400 for one more: %.2s',
  async (preset) => {
    expect((await save(alice, { name: 'big', preset })).body.presets).toEqual([{ name: 'big', preset }])
    expect(await save(alice, { name: 'big', preset: `${preset}a` })).toMatchObject({
      status: 400,
      body: { message: 'A preset has at most 102,400 bytes' },
    })
  },
)

test('409 for the 101st, and it changes nothing; one of the hundred can still be replaced', async () => {
  await store(alice, numbered(100))
  const before = await service.db.presets.findOne({ _id: new ObjectId(alice.id) })
  const refused = await save(alice, { name: 'p100', preset: 'x' })
  expect(refused.status).toBe(409)
  expect(refused.body.message).toBe('At most 100 presets')
  expect(await service.db.presets.findOne({ _id: new ObjectId(alice.id) })).toEqual(before)

  const replaced = await save(alice, { name: 'p99', preset: 'new' })
  expect(replaced.status).toBe(200)
  expect(replaced.body.presets).toHaveLength(100)
  expect(replaced.body.presets[99]).toEqual({ name: 'p99', preset: 'new' })
})

test('200 with a list of at most 500 game ids, in lower case', async () => {
  const ids = Array.from({ length: 500 }, () => new ObjectId().toHexString())
  const answer = await save(alice, { name: 'royal', preset: ids.map((id) => id.toUpperCase()) })
  expect(answer.status).toBe(200)
  expect(answer.body.presets).toEqual([{ name: 'royal', preset: ids }])
  expect(await listed(alice)).toEqual([{ name: 'royal', preset: ids }])
  const emptied = await save(alice, { name: 'royal', preset: [] })
  expect(emptied.body.presets).toEqual([{ name: 'royal', preset: [] }])

  const refused = await save(alice, { name: 'royal', preset: [...ids, ...ids.slice(0, 1)] })
  expect(refused).toMatchObject({
    status: 400,
    body: { message: 'A preset is a text, or a list of at most 500 game ids' },
  })
  expect(await save(alice, { name: 'royal', preset: ['no id'] })).toMatchObject({
    status: 400,
    body: { message: 'Invalid id' },
  })
  expect(await listed(alice)).toEqual([{ name: 'royal', preset: [] }])
})

test('409 beyond 1 MB of all presets with their names, and it changes nothing; a smaller one still fits', async () => {
  const text = 'x'.repeat(102_400)
  await store(
    alice,
    Array.from({ length: 10 }, (_, index) => ({ name: `p${index}`, preset: text })),
  )
  const left = 1024 * 1024 - 10 * (102_400 + 2) - 'last'.length
  const refused = await save(alice, { name: 'last', preset: 'y'.repeat(left + 1) })
  expect(refused).toMatchObject({ status: 409, body: { message: 'All presets together have at most 1 MB' } })
  expect(await listed(alice)).toHaveLength(10)

  expect((await save(alice, { name: 'last', preset: 'y'.repeat(left) })).status).toBe(200)
  expect((await save(alice, { name: 'more', preset: [] })).status).toBe(409)
  const games = Array.from({ length: 500 }, () => new ObjectId().toHexString())
  expect((await save(alice, { name: 'p0', preset: games })).status).toBe(200)
  expect((await save(alice, { name: 'more', preset: games })).status).toBe(200)
})

describe('DELETE /user/presets/:userId', () => {
  const named = (names: string[]) => names.map((name) => ({ name, preset: 'x' }))
  beforeEach(() => store(alice, named(['one', '$two.three', 'four'])))

  test('200 with what is left; the presets of others stay', async () => {
    await store(bob, named(['$two.three']))
    const answer = await remove(alice, '$two.three')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ _id: alice.id, presets: named(['one', 'four']) })
    expect(await listed(bob)).toHaveLength(1)
  })

  test('200 for a name that is not there, and for an owner without any, and nothing is written', async () => {
    for (const name of ['nothing', 'ONE', '$gt', '.*']) {
      const answer = await remove(alice, name)
      expect(answer.status).toBe(200)
      expect(answer.body.presets).toHaveLength(3)
    }
    expect((await remove(bob, 'one')).body).toEqual({ _id: bob.id, presets: [] })
    expect(await service.db.presets.countDocuments({ _id: new ObjectId(bob.id) })).toBe(0)
  })
})

test('GET: 200 with the presets of the owner, whatever the case of the id, empty for one who saved none', async () => {
  await save(bob, { name: 'theirs', preset: '1' })
  const presets = [{ name: 'theirs', preset: '1' }]
  expect((await bob.get(`/user/presets/${bob.id.toUpperCase()}`)).body).toEqual({ _id: bob.id, presets })
  expect(await alice.get(`/user/presets/${alice.id}`)).toMatchObject({ status: 200, body: { presets: [] } })
})

test('403 for others and admins, also of somebody who does not exist, and nothing changes', async () => {
  await save(alice, { name: 'one', preset: 'mine' })
  for (const caller of [bob, admin]) {
    await save(caller, { name: 'one', preset: 'theirs' })
    expect((await caller.get(`/user/presets/${alice.id}`)).status).toBe(403)
    expect((await save(caller, { name: 'one', preset: 'taken' }, alice.id)).status).toBe(403)
    expect((await remove(caller, 'one', alice.id)).status).toBe(403)
  }
  expect(await listed(alice)).toEqual([{ name: 'one', preset: 'mine' }])
  expect((await alice.get(`/user/presets/${new ObjectId()}`)).status).toBe(403)
})
