import { beforeEach, describe, expect, it } from 'vitest'
import { isObjectKey } from '#lib/infrastructure/storage/storage'
import { useGamesScene } from '../../../../support/scenes/games-scene.ts'
import { KEEPERS, LANTERN_KEEP } from '../../../infrastructure/sources/igdb/lantern-keep.ts'

const scene = await useGamesScene()
beforeEach(() => scene.reset())

const link = (path: string) => scene.images.link(path)
const { insertGame: insert } = scene
const toKey = (url: string | undefined) => (isObjectKey(url ?? '') ? url : undefined)
const requestedPaths = () => scene.images.requests.map(({ path }) => path)

it('images of a payload are copied into their folders under the id of the game', async () => {
  const { game, images, failedImages } = await scene.approve({
    name: 'Harbour Lights',
    cover: link('png/cover'),
    screenshots: [link('jpeg/1'), link('webp/2')],
    artworks: [link('gif/1')],
  })

  expect(failedImages).toEqual([])
  expect(toKey(game.cover)).toMatch(new RegExp(`^covers/${game._id}/`))
  expect(game.screenshots?.map(toKey)).toEqual([
    expect.stringMatching(`^screenshots/${game._id}/`),
    expect.stringMatching(`^screenshots/${game._id}/`),
  ])
  expect(game.artworks?.map(toKey)).toEqual([expect.stringMatching(`^artworks/${game._id}/`)])
  expect([...images].map(toKey).sort()).toEqual([...scene.objects].sort())
  expect(scene.recorded.toSorted()).toEqual([...scene.objects].sort())
})

it('screenshots and artworks are appended, each link once; a cover is replaced', async () => {
  const old = {
    cover: 'https://cdn.example/c',
    screenshots: ['https://cdn.example/s'],
    artworks: ['https://cdn.example/a'],
  }
  const screenshots = [link('png/1'), link('png/2'), link('png/1')]
  const proposed = { cover: link('png/c'), screenshots, artworks: [link('png/3')] }
  const { game, images, replacedImages } = await scene.approve(proposed, { targetId: await insert(old) })

  expect(game.screenshots).toEqual([...old.screenshots, expect.any(String), expect.any(String)])
  expect(game.artworks).toEqual([...old.artworks, expect.any(String)])
  expect(toKey(game.cover)).toMatch(/^covers\//)
  expect(replacedImages).toEqual([old.cover])
  expect(images).toHaveLength(6)
  expect(images).not.toContain(old.cover)
})

it('images of a payload that fail are listed in its order, and a failed cover keeps the old one', async () => {
  const old = { cover: 'https://cdn.example/c' }
  const proposed = { cover: link('404/c'), screenshots: [link('png/1'), link('html/1')] }
  const { game, ...answer } = await scene.approve(proposed, { targetId: await insert(old) })

  expect(answer).toMatchObject({ failedImages: [link('404/c'), link('html/1')], replacedImages: [] })
  expect(game).toMatchObject({ ...old, screenshots: [expect.any(String)] })
})

describe('images of sources', () => {
  beforeEach(() => {
    scene.igdb.games.push(LANTERN_KEEP)
  })

  it('come after those of the payload, and the cover of the payload is the only one', async () => {
    const { game } = await scene.approve({ igdbId: 9001, cover: link('png/cover'), screenshots: [link('png/shot')] })

    expect(requestedPaths().slice(0, 2).sort()).toEqual(['/png/cover', '/png/shot'])
    expect(requestedPaths().slice(2).sort()).toEqual(['ar1', 'sc1', 'sc2'].map((id) => `/png/t_1080p/${id}.jpg`))
    expect(game.screenshots).toHaveLength(3)
    expect([...scene.objects].filter((key) => key.startsWith('covers/'))).toEqual([toKey(game.cover)])
  })

  it('give a cover where that of the payload failed', async () => {
    const { game, failedImages } = await scene.approve({ igdbId: 9001, cover: link('404/c') })

    expect(failedImages).toEqual([link('404/c')])
    expect(requestedPaths()).toContain('/png/t_1080p/co1abc.jpg')
    expect(toKey(game.cover)).toMatch(/^covers\//)
  })

  it('give one cover, the first available', async () => {
    const image = { id: 'cv1', url: link('png/vn'), sexual: 0, violence: 0 }
    scene.vndb.put({ id: 'v30', title: 'Ever17', image }, { id: 'v33', title: 'Never7', image })
    const both = await scene.approve({ igdbId: 9001, vndbId: 'v30' })
    expect(requestedPaths()).toContain('/png/t_1080p/co1abc.jpg')
    expect(requestedPaths()).not.toContain('/png/vn')

    const alone = await scene.approve({ vndbId: 'v33' }, { targetId: await insert() })
    for (const { game } of [both, alone]) expect(toKey(game.cover)).toMatch(new RegExp(`^covers/${game._id}/`))
    expect(requestedPaths()).toContain('/png/vn')
  })

  it('replace those of an earlier parse, which are answered as replaced', async () => {
    const first = await scene.approve({ igdbId: 9001 })
    const targetId = first.resultId
    const again = await scene.approve({ igdbId: 9001, artworks: [link('png/mine')] }, { targetId })

    expect([...again.replacedImages].sort()).toEqual([...first.images].sort())
    expect(again.game.artworks).toHaveLength(2)
    expect(again.images).toHaveLength(5)
  })

  it('that fail are a warning, and no failed images of the payload', async () => {
    scene.igdb.games[0] = {
      ...LANTERN_KEEP,
      cover: { id: 51, image_id: 'broken1' },
      screenshots: [
        { id: 1, image_id: 'broken2' },
        { id: 2, image_id: 'sc2' },
      ],
    }
    scene.igdb.characters.push({ ...KEEPERS[0], id: 1, mug_shot: { id: 1, image_id: 'broken3' } })
    const { game, warnings, failedImages } = await scene.approve({ igdbId: 9001 })

    expect(warnings).toEqual(['3 images of IGDB 9001 could not be copied'])
    expect(failedImages).toEqual([])
    expect(game).not.toHaveProperty('cover')
    expect(game.screenshots).toHaveLength(1)
    expect(await scene.service.db.characters.findOne({ name: 'Mira' })).not.toHaveProperty('mugShot')
  })
})
