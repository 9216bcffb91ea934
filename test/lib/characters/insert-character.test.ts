import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { insertCharacter } from '../../../lib/characters/insert-character.ts'
import { searchCharacters } from '../../../lib/characters/search-characters.ts'
import { openCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

const scene = await openCatalogueScene()
afterAll(() => scene.close())

describe('insertCharacter', () => {
  it('stores the character with its keys, so that a search finds it by any of its names', async () => {
    const gameIds = [new ObjectId()]
    const character = await insertCharacter(scene, { name: 'Zoë', akas: ['The $Keeper'], gameIds, species: '' })

    expect(await scene.db.characters.findOne({ _id: character._id })).toEqual(character)
    expect(character).toMatchObject({ slug: 'zoe', gameIds, lowerCaseNames: ['zoë', 'the $keeper'] })
    expect(character).not.toHaveProperty('species')
    expect(await searchCharacters(scene, { searchString: 'keeper', take: 10 })).toMatchObject({ total: 1 })
  })

  it('gives 30 characters of one name, inserted at once, 30 slugs', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => insertCharacter(scene, { name: 'Guard' })))

    expect(new Set(made.map(({ slug }) => slug)).size).toBe(30)
  })

  it('belongs to the transaction that inserts it', async () => {
    const insert = (isKept: boolean) =>
      scene.db.transaction(async (session) => {
        await insertCharacter(scene, { name: 'Rook' }, { session })
        if (!isKept) throw new Error('ended')
      })

    await expect(insert(false)).rejects.toThrow('ended')
    expect(await scene.db.characters.countDocuments({ name: 'Rook' })).toBe(0)
    await insert(true)
    expect(await scene.db.characters.countDocuments({ slug: 'rook' })).toBe(1)
  })
})
