import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { insertCharacters } from '#lib/domain/catalogue/characters/insert-characters'
import { searchCharacters } from '#lib/domain/catalogue/characters/search-characters'
import { insertKeyedCharacter } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()

it('stores the character with its keys, so that a search finds it by any of its names', async () => {
  const gameIds = [new ObjectId()]
  const character = await insertKeyedCharacter(scene, { name: 'Zoë', akas: ['The $Keeper'], gameIds, species: '' })

  expect(await scene.db.characters.findOne({ _id: character._id })).toEqual(character)
  expect(character).toMatchObject({ slug: 'zoe', gameIds, lowerCaseNames: ['zoë', 'the $keeper'] })
  expect(character).not.toHaveProperty('species')
  expect(await searchCharacters(scene, { searchString: 'keeper', take: 10 })).toMatchObject({ total: 1 })
})

it('each of many characters of one name gets a slug', async () => {
  await insertKeyedCharacter(scene, { name: 'Guard' })
  const guards = Array.from({ length: 30 }, () => ({ name: 'Guard' }))
  const insert = () => scene.db.transaction((session) => insertCharacters(scene, guards, { session }))
  const inserted = (await Promise.all([insert(), insert()])).flat()

  expect(new Set(inserted.map(({ slug }) => slug)).size).toBe(60)
  expect(await scene.db.characters.countDocuments({ slug: /^guard(-\d+)?$/ })).toBe(61)
})
