import { readFileSync } from 'node:fs'
import { BSON, type Document } from 'mongodb'
import { expect, it } from 'vitest'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService({ isMakingKeys: true })
const README = readFileSync(new URL('../../../../lib/infrastructure/db/README.md', import.meta.url), 'utf8')
const [game, character, conflict] = Array.from(README.matchAll(/```json\n([\s\S]*?)```/g), ([, text = '']) => text).map(
  (text): Document => BSON.EJSON.parse(text),
)

/** Inserts a document as another program does. */
const insert = (collection: string, document: Document = {}) =>
  service.db.raw.collection(collection).insertOne({ ...document })

const search = async (path: string) => (await service.guest.get(path)).body.results

it('the game of the README is stored, found and answered', async () => {
  await insert('games', game)

  await expect.poll(() => search('/games/search?searchString=okami')).toMatchObject([{ name: 'Ōkami' }])
  expect(await service.guest.get('/games/okami')).toMatchObject({ status: 200, body: { name: 'Ōkami' } })
  await expect(insert('games', { ...game, slug: 'okami-2' })).rejects.toMatchObject({ code: 11_000 })
})

it('the character of the README is stored, found and answered', async () => {
  await insert('characters', character)

  await expect.poll(() => search('/characters/search?searchString=ammy')).toMatchObject([{ name: 'Amaterasu' }])
  expect(await service.guest.get('/characters/amaterasu')).toMatchObject({ status: 200 })
})

it('the conflict of the README waits for a decision', async () => {
  await insert('conflicts', conflict)
  const admin = await service.caller({ isAdmin: true })

  expect((await admin.get('/conflicts/list?source=vndb')).body.results).toMatchObject([{ externalName: 'Ever17' }])
  expect(await admin.get('/conflicts/vndb/v17')).toMatchObject({ status: 200, body: { item: { externalId: 'v17' } } })
})

it.each([
  ['games', { name: 'Bare', slug: 'bare' }, '/games/bare'],
  ['characters', { name: 'Bare', slug: 'bare' }, '/characters/bare'],
])('a document of %s needs only name and slug', async (collection, document, path) => {
  await insert(collection, document)

  expect(await service.guest.get(path)).toMatchObject({ status: 200, body: { name: 'Bare' } })
  await expect.poll(() => search(`/${collection}/search?searchString=bare`)).toMatchObject([{ slug: 'bare' }])
})
