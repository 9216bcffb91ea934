import { expect, it } from 'vitest'
import { insertCharacters } from '#lib/domain/catalogue/characters/insert-characters'
import { insertKeyedCharacter } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()

it('each of many characters of one name gets a slug', async () => {
  await insertKeyedCharacter(scene, { name: 'Guard' })
  const guards = Array.from({ length: 30 }, () => ({ name: 'Guard' }))
  const insert = () => scene.db.transaction((session) => insertCharacters(scene, guards, { session }))
  const inserted = (await Promise.all([insert(), insert()])).flat()

  expect(new Set(inserted.map(({ slug }) => slug)).size).toBe(60)
  expect(await scene.db.characters.countDocuments({ slug: /^guard(-\d+)?$/ })).toBe(61)
})
