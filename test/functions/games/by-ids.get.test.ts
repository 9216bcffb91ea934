import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { insertGame } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const ids: string[] = []
const service = await useService()
for (let index = 0; index < 4; index++) {
  ids.push((await insertGame(service.db, { name: `Game ${index}`, slug: `game-${index}` })).toHexString())
}

const read = (query: string) => service.guest.get(`/games/by-ids${query}`)
const namesOf = (body: { name: string }[]) => body.map(({ name }) => name)

test('200 with a bare array of rows in the requested order', async () => {
  const [first, second, third] = ids
  const { status, body } = await read(`?_ids=${third}&_ids=${first}&_ids=${second}`)
  expect(status).toBe(200)
  expect(namesOf(body)).toEqual(['Game 2', 'Game 0', 'Game 1'])
  expect(body[0]).toEqual({
    _id: third,
    name: 'Game 2',
    slug: 'game-2',
    cover: null,
    type: null,
    first_release: null,
    platformIds: [],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
})

test('200 for ids in one value, mixed with repeated ones, in any case', async () => {
  const [first, second, third] = ids
  expect(namesOf((await read(`?_ids=${second},${first}`)).body)).toEqual(['Game 1', 'Game 0'])
  expect(namesOf((await read(`?_ids=${second},${first?.toUpperCase()}&_ids=${third}`)).body)).toEqual([
    'Game 1',
    'Game 0',
    'Game 2',
  ])
})

test('200 without unknown ids, each game once, and nothing for no ids', async () => {
  const [first, second] = ids
  const { body } = await read(`?_ids=${first},${new ObjectId()},${second},${first}`)
  expect(namesOf(body)).toEqual(['Game 0', 'Game 1'])
  expect(await read('?_ids=')).toMatchObject({ status: 200, body: [] })
})

test.each(['&_ids=', ','])('200 for 500 ids joined by %j, 400 for one more', async (joint) => {
  const many = [...ids, ...Array.from({ length: 496 }, () => new ObjectId().toHexString())]
  const { status, body } = await read(`?_ids=${many.join(joint)}`)
  expect(status).toBe(200)
  expect(namesOf(body)).toEqual(['Game 0', 'Game 1', 'Game 2', 'Game 3'])

  const refused = await read(`?_ids=${[...many, new ObjectId()].join(joint)}`)
  expect([refused.status, refused.body.message]).toEqual([400, 'At most 500 games'])
})

test.each(['', '?_ids=chrono-trigger', `?_ids=${'a'.repeat(24)},1`, '?_ids[$gt]=1'])('400 for %j', async (query) => {
  const { status, body } = await read(query)
  expect([status, body.message]).toEqual([400, 'Invalid id'])
})
