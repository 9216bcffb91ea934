import { Double, Long, ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { createKinds, readFacts, writeKeys } from '#lib/domain/catalogue/keys/make-keys'
import { useDatabase } from '../../../../support/service/use-database.ts'

const { db } = await useDatabase()
const { games } = createKinds(db)
const raw = db.games.db.collection('games')
beforeEach(async () => void (await raw.deleteMany({})))

const FACTS = {
  name: 'Old Name',
  alternative_names: ['Older'],
  companies: [{ name: 'Clover' }],
  first_release: 1_000,
  igdb: { gameId: 1, total_rating_count: 2, hypes: 3, rating: 90 },
  vndb: { vnId: 'v1', votecount: 4 },
}

it.each([
  ['name', { $set: { name: 'New Name' } }],
  ['name, which went', { $unset: { name: 1 } }],
  ['alternative names', { $push: { alternative_names: 'New' } }],
  ['alternative names, now null', { $set: { alternative_names: null } }],
  ['companies', { $set: { 'companies.0.name': 'Capcom' } }],
  ['first release', { $set: { first_release: 2_000 } }],
  ['votes', { $inc: { 'igdb.hypes': 1 } }],
  ['votes, which went with their source', { $unset: { vndb: 1 } }],
])('keys of older facts are not written: %s', async (_, change) => {
  await raw.insertOne({ slug: 'a', ...FACTS })
  const read = await readFacts(games, {})
  await raw.updateOne({ slug: 'a' }, change as object)
  const before = await raw.findOne({ slug: 'a' })

  expect(await writeKeys(games, read)).toEqual({ made: 0, refused: 0 })
  expect(await raw.findOne({ slug: 'a' })).toEqual(before)
  expect(await writeKeys(games, await readFacts(games, {}))).toMatchObject({ made: 1 })
})

it('keys are written once, also beside a change of other fields and another instance', async () => {
  await raw.insertOne({ slug: 'a', ...FACTS })
  const [first, second] = [await readFacts(games, {}), await readFacts(games, {})]
  await raw.updateOne({ slug: 'a' }, { $set: { 'igdb.rating': 91, views: 1 } })

  expect(await writeKeys(games, first)).toMatchObject({ made: 1 })
  expect(await writeKeys(games, second)).toMatchObject({ made: 0 })
  expect(await writeKeys(games, await readFacts(games, {}))).toMatchObject({ made: 0 })
  expect(await raw.findOne({ slug: 'a' })).toMatchObject({ nameKey: 'old name', views: 1, igdb: { rating: 91 } })
})

it('every document gets keys, whatever other programs stored in its fields', async () => {
  const odd = [
    {},
    { name: null },
    { name: 7, alternative_names: 'text', companies: 'text', igdb: 'text', vndb: null },
    { name: '$name', alternative_names: ['$$ROOT', null, { $gt: '' }], companies: [null, { $set: 1 }, { name: null }] },
    { name: /^a/, first_release: new Date(0), igdb: { hypes: [1, 2] } },
    // No number of JavaScript.
    { name: 'x', first_release: Long.fromString('1152921504606846977') },
    { name: 'x', first_release: Long.fromNumber(5), igdb: { hypes: new Double(5), total_rating_count: Number.NaN } },
    { name: 'x'.repeat(5_000), alternative_names: Array.from({ length: 500 }, (_, index) => `name ${index}`) },
    { name: new ObjectId(), companies: {}, vndb: { votecount: -1 } },
  ]
  await raw.insertMany(odd.map((facts, index) => ({ ...facts, slug: `odd-${index}` })))

  expect(await writeKeys(games, await readFacts(games, {}))).toEqual({ made: odd.length, refused: 0 })
  expect(await writeKeys(games, await readFacts(games, {}))).toEqual({ made: 0, refused: 0 })
})
