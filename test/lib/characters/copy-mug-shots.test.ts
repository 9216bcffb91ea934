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
  it('copies those of characters that the catalogue lacks, and writes none of them', async () => {
    const known = new ObjectId()
    const now = new Date()
    const row = { _id: known, name: 'Rook', slug: 'rook', lowerCaseNames: ['rook'], gameIds: [gameId] }
    await scene.db.characters.insertOne({ ...row, createdAt: now, updatedAt: now })
    const prepared = await copy([
      { name: 'Rook', mugShot: mugShot('rook') },
      { name: 'Zoë', gender: 'Female', mugShot: mugShot('zoe') },
      { name: 'Moth', mugShot: mugShot('broken') },
      { name: 'Bishop' },
    ])
    const [zoe, ...others] = prepared.newcomers

    expect([...prepared.matched]).toEqual([['Rook', known]])
    expect(scene.downloads.toSorted()).toEqual([mugShot('broken'), mugShot('zoe')])
    expect(zoe).toMatchObject({ name: 'Zoë', gender: 'Female', gameIds: [gameId] })
    expect(scene.storage.keyOf(zoe?.mugShot ?? '')).toMatch(new RegExp(`^characters/${zoe?._id}/`))
    expect(others.map(({ name }) => name)).toEqual(['Moth', 'Bishop'])
    for (const other of others) expect(other).not.toHaveProperty('mugShot')
    expect(prepared.failedImages).toEqual([mugShot('broken')])
    expect(await scene.db.characters.countDocuments()).toBe(1)
  })

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

  it('begins nothing after its signal', async () => {
    const reason = new Error('the service stops')

    await expect(
      copy([{ name: 'Rook', mugShot: mugShot('rook') }], { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(scene.downloads).toEqual([])
  })
})
