import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { changeGame } from '#lib/domain/catalogue/games/change-game'
import { copyEntryImages } from '#lib/domain/catalogue/games/copy-entry-images'
import { entryChanges } from '#lib/domain/catalogue/games/entry-changes'
import type { CopyInput } from '#lib/infrastructure/images/images'
import { isObjectKey } from '#lib/infrastructure/storage/storage'
import { hltbEntry, igdbEntry, vndbEntry } from '../../../../support/rows/entries.ts'
import { insertGame } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()
beforeEach(() => scene.reset())

const HOST = 'https://images.example'
const images = {
  cover: `${HOST}/cover`,
  screenshots: [1, 2, 3, 2].map((number) => `${HOST}/shot-${number}`),
  artworks: [`${HOST}/art`, `${HOST}/cover`],
}

const read = (_id: ObjectId) => scene.db.games.findOne({ _id })
const copy = async (gameId: ObjectId, facts: Parameters<typeof igdbEntry>[1] = { images }, options = {}) =>
  copyEntryImages(scene, { gameId, game: await read(gameId), resolved: igdbEntry(5, facts), ...options })

it('each image is copied into its folder, and the keys are answered in the order of the source', async () => {
  const gameId = new ObjectId()
  const { fields, failedImages } = await copy(gameId)

  const linkOf = (key = '') => (isObjectKey(key) ? scene.objects.get(key) : undefined)
  expect(linkOf(fields.cover)).toBe(images.cover)
  expect(fields.screenshots?.map(linkOf)).toEqual(images.screenshots.slice(0, 3))
  expect(fields.artworks?.map(linkOf)).toEqual(images.artworks)
  expect(fields.cover).toMatch(new RegExp(`^covers/${gameId}/[0-9a-f]{24}$`))
  for (const key of fields.screenshots ?? []) expect(key).toMatch(`screenshots/${gameId}/`)
  for (const key of fields.artworks ?? []) expect(key).toMatch(`artworks/${gameId}/`)
  expect(failedImages).toEqual([])
})

it('each link is marked as of a source', async () => {
  const wanted: CopyInput[] = []
  const watched: typeof scene.images = {
    copy(each) {
      wanted.push(each)
      return scene.images.copy(each)
    },
  }
  await copyEntryImages(
    { ...scene, images: watched },
    { gameId: new ObjectId(), game: null, resolved: igdbEntry(5, { images }) },
  )

  expect(wanted.map(({ isOfSource }) => isOfSource)).toEqual(Array(6).fill(true))
})

it('a repetition stores the same objects, and another game gets others', async () => {
  const gameId = new ObjectId()
  const { fields } = await copy(gameId)

  expect((await copy(gameId)).fields).toEqual(fields)
  expect(scene.objects.size).toBe(6)
  expect((await copy(new ObjectId())).fields.cover).not.toBe(fields.cover)
})

it('an image that the game has is not read again', async () => {
  const gameId = await insertGame(scene.db)
  const { fields } = await copy(gameId)
  const resolved = igdbEntry(5, { fields })
  await scene.db.transaction((session) =>
    changeGame(scene, gameId, (stored) => ({ $set: entryChanges(stored, resolved) }), { session }),
  )
  const before = scene.downloads.length
  const again = await copy(gameId, { images: { ...images, cover: `${HOST}/new-cover` } })

  expect(scene.downloads.slice(before)).toEqual([`${HOST}/new-cover`])
  expect(again.fields).toMatchObject({ screenshots: fields.screenshots, artworks: fields.artworks })
  expect(again.fields.cover).not.toBe(fields.cover)
})

it('only images of fields that the source may write are copied', async () => {
  const _id = await insertGame(scene.db, { isCustom: true, cover: 'https://x.example/c', screenshots: [] })
  expect(Object.keys((await copy(_id)).fields)).toEqual(['screenshots', 'artworks'])

  const covered = await insertGame(scene.db, { cover: 'https://x.example/c' })
  const before = scene.downloads.length
  const cover = { images: { cover: `${HOST}/vn` } }
  for (const resolved of [vndbEntry('v1', cover), hltbEntry('1', cover)])
    expect((await copy(covered, {}, { resolved })).fields).toEqual({})
  expect(scene.downloads).toHaveLength(before)

  const bare = await insertGame(scene.db)
  const { fields } = await copy(bare, {}, { resolved: vndbEntry('v1', cover) })
  expect(Object.keys(fields)).toEqual(['cover'])
})
