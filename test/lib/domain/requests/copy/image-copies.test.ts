import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { claim } from '#lib/domain/requests/approval/claim'
import { createImageCopies } from '#lib/domain/requests/copy/copy'
import type { ObjectKey } from '#lib/infrastructure/storage/storage'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'

const ACTOR = { user: { _id: new ObjectId(), userName: 'carol', isAdmin: true } }
const DECIDED = 'This request has already been decided, or another moderator is deciding it'
const WAIT = { timeout: 20_000, interval: 20 }

const scene = await useApprovalsScene()

async function begin({ signal = new AbortController().signal, imagesMs = 60_000 } = {}) {
  const { deps } = scene.service
  const request = await claim(deps, ACTOR, { requestId: (await scene.insert())._id.toHexString() })
  const uploads: ObjectKey[] = []
  const copies = createImageCopies(deps, { request, uploads, signal, timeoutMs: imagesMs })
  const entityId = new ObjectId()
  const copy = (path: string) => copies.copyProposed(scene.host.link(path), 'covers', entityId)
  return { request, uploads, copies, signal: copies.signal, end: copies.end, copy }
}

it('images are copied four at once', async () => {
  const { copy, end } = await begin()
  const all = Promise.all(Array.from({ length: 6 }, (_, index) => copy(`held/${index}`)))
  await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
  scene.host.release(2)
  await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
  scene.host.release()
  expect(new Set(await all).size).toBe(6)
  await end()
})

it('images fail when their shared time is over, also those that were not requested yet', async () => {
  const { copy, copies, uploads, end } = await begin({ imagesMs: 6_000 })
  const links = ['png/first', ...Array.from({ length: 6 }, (_, index) => `silent/${index}`)]
  const [first, ...others] = await Promise.all(links.map(copy))
  expect(first).toEqual(expect.any(String))
  expect(others).toEqual(Array.from({ length: 6 }, () => null))
  expect(await copy('png/late')).toBeNull()
  expect(copies.failedLinks.toSorted()).toEqual([...links.slice(1), 'png/late'].map(scene.host.link).toSorted())
  expect(uploads).toHaveLength(1)
  await end()
})

it('images end with the signal of the approval, and do not count as failed', async () => {
  const ending = new AbortController()
  const { copy, copies, end } = await begin({ signal: ending.signal })
  const all = Promise.allSettled(Array.from({ length: 6 }, (_, index) => copy(`silent/${index}`)))
  const reason = new Error('enough')
  ending.abort(reason)
  expect(await all).toEqual(Array.from({ length: 6 }, () => ({ status: 'rejected', reason })))
  expect(copies.failedLinks).toEqual([])
  await end()
})

it('images that wait are never begun after the end', async () => {
  const { copy, end } = await begin()
  const before = scene.host.requests.length
  const waiting = Promise.allSettled(Array.from({ length: 8 }, (_, index) => copy(`silent/${index}`)))
  await vi.waitFor(() => expect(scene.host.requests.length).toBe(before + 4), WAIT)
  await end()
  expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'))
  expect(scene.host.requests.length).toBe(before + 4)
})

it('images are stored no more once the claim is lost', async () => {
  const { copy, copies, request, signal, uploads, end } = await begin()
  const others = Promise.allSettled(Array.from({ length: 3 }, (_, index) => copy(`silent/${index}`)))
  await scene.letClaimPass(request)
  const before = await scene.objects()
  await expect(copy('png/1')).rejects.toMatchObject({ code: 'CONFLICT', message: DECIDED })
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(signal.aborted).toBe(true)
  await expect(copies.recordKey(uploads[0] ?? 'covers/x/y')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await scene.objects()).toEqual(before)
  expect(await scene.read(request)).not.toHaveProperty('pendingUploads')
  await end()
})
