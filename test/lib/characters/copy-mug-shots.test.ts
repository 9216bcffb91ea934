import { ObjectId } from 'mongodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyMugShots } from '../../../lib/characters/copy-mug-shots.ts'
import type { SourceCharacter } from '../../../lib/sources/entries.ts'
import type { ObjectKey } from '../../../lib/storage/storage.ts'
import { igdbEntry } from '../../support/rows/entries.ts'
import { type CatalogueScene, openCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

const gameId = new ObjectId()
const mugShot = (name: string) => `https://images.example/${name}`

let scene: CatalogueScene
beforeEach(async () => {
  scene = await openCatalogueScene()
})
afterEach(() => scene.close())

const copy = (characters: readonly SourceCharacter[], options = {}) =>
  copyMugShots(scene, { gameId, resolved: igdbEntry(5, { characters }), ...options })

describe('copyMugShots', () => {
  it('tells of each key before it is stored, and stores nothing where that is refused', async () => {
    const recorded: ObjectKey[] = []
    const characters = [{ name: 'Rook', mugShot: mugShot('rook') }]
    await copy(characters, { note: async (key: ObjectKey) => recorded.push(key) })
    expect(recorded).toEqual([...scene.objects.keys()])

    scene.objects.clear()
    const note = async () => {
      throw new Error('the claim was lost')
    }
    await expect(copy(characters, { note })).rejects.toThrow('the claim was lost')
    expect(scene.objects.size).toBe(0)
  })
})
