import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { claim } from '#lib/domain/requests/approval/approve'
import { copy } from '#lib/domain/requests/copy/copy'
import type { ObjectKey } from '#lib/infrastructure/storage/storage'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'

const ACTOR = { user: { _id: new ObjectId(), userName: 'carol', isAdmin: true } }
const WAIT = { timeout: 20_000, interval: 20 }
/** A plan that writes only images. */
const PLAN = {
  kind: 'game' as const,
  draft: null,
  newEntry: null,
  entries: [],
  proposal: { fields: {}, developer: undefined, publisher: undefined, relations: {} },
  lockSync: false,
  droppedFields: [],
  warnings: [],
}

const scene = await useApprovalsScene()

async function begin({ signal = new AbortController().signal, imagesMs = 60_000 } = {}) {
  const { deps } = scene.service
  const request = await claim(deps, ACTOR, { requestId: (await scene.insert())._id.toHexString() })
  const uploads: ObjectKey[] = []
  const copyAll = async (paths: readonly string[]) => {
    const imageLinks = { screenshots: paths.map(scene.host.link) }
    const plan = { ...PLAN, gameId: new ObjectId(), imageLinks }
    const { entry, failedLinks } = await copy(deps, plan, { request, uploads, signal, timeoutMs: imagesMs })
    return { screenshots: 'images' in entry ? entry.images.screenshots : [], failedLinks }
  }
  return { request, uploads, copyAll }
}
const silent = (count: number) => Array.from({ length: count }, (_, index) => `silent/${index}`)

it('images are copied four at once', async () => {
  const { copyAll } = await begin()
  const all = copyAll(Array.from({ length: 6 }, (_, index) => `held/${index}`))
  await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
  scene.host.release(2)
  await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
  scene.host.release()
  expect(new Set((await all).screenshots).size).toBe(6)
})

it('images fail when their shared time is over, also those that were not requested yet', async () => {
  const { copyAll, uploads } = await begin({ imagesMs: 6_000 })
  const paths = ['png/first', ...silent(6), 'png/late']
  const { screenshots, failedLinks } = await copyAll(paths)
  expect(screenshots).toEqual(uploads)
  expect(uploads).toHaveLength(1)
  expect(failedLinks.toSorted()).toEqual(paths.slice(1).map(scene.host.link).toSorted())
})

it('images end with the signal of the approval', async () => {
  const ending = new AbortController()
  const { copyAll } = await begin({ signal: ending.signal })
  const all = expect(copyAll(silent(6))).rejects.toThrow('enough')
  ending.abort(new Error('enough'))
  await all
})

it('no image is stored once the claim is lost: running copies end, and no other begins', async () => {
  const { copyAll, request } = await begin()
  await scene.letClaimPass(request)
  const [before, requested] = [await scene.objects(), scene.host.requests.length]
  await expect(copyAll(['png/1', ...silent(8)])).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This request has already been decided, or another moderator is deciding it',
  })
  expect(scene.host.requests.length).toBeLessThanOrEqual(requested + 4)
  expect(await scene.objects()).toEqual(before)
  expect(await scene.read(request)).not.toHaveProperty('pendingUploads')
})
