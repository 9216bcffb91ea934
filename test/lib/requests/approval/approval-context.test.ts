import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApprovalContext } from '../../../../lib/requests/approval/approval-context.ts'
import type { ApprovalRunner } from '../../../../lib/requests/approval/approval-runner.ts'
import { claim } from '../../../../lib/requests/approval/claim.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'

const ADMIN = { _id: new ObjectId(), userName: 'carol', isAdmin: true }
const DECIDED = 'This request has already been decided, or another moderator is deciding it'
const WAIT = { timeout: 20_000, interval: 20 }

let scene: ApprovalsScene
beforeAll(async () => {
  scene = await startApprovalsScene()
})
afterAll(() => scene.close())

async function begin({ signal = new AbortController().signal, imagesMs = 60_000 } = {}) {
  const { deps } = scene.service
  const request = await claim(deps, { requestId: (await scene.insert())._id, admin: ADMIN })
  const choice = { fields: undefined, reason: null, lockSync: false, force: false }
  const entityId = new ObjectId()
  const approval = createApprovalContext(
    deps,
    { request, admin: ADMIN, choice, httpRequestId: 'r1', signal },
    { imagesMs },
  )
  const copy = (path: string) => approval.images.copyProposed(scene.host.link(path), 'covers', entityId)
  return { ...approval, copy, entityId }
}
const leases = () => scene.service.db.leases.find().toArray()

describe('images', () => {
  it('are recorded before they are stored, and answered with their addresses', async () => {
    const { copy, request, uploads, end } = await begin()
    const { put } = scene.service.deps.storage
    const spy = vi.spyOn(scene.service.deps.storage, 'put').mockImplementationOnce(async (key, ...rest) => {
      expect((await scene.read(request)).pendingUploads).toEqual([key])
      await put(key, ...rest)
    })
    const url = await copy('png/1')
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
    expect(uploads.keys.map(scene.service.deps.storage.urlOf)).toEqual([url])
    expect(await scene.objects()).toContain(uploads.keys[0])
    await end()
  })

  it('are copied four at once', async () => {
    const { copy, end } = await begin()
    const all = Promise.all(Array.from({ length: 6 }, (_, index) => copy(`held/${index}`)))
    await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
    scene.host.release(2)
    await vi.waitFor(() => expect(scene.host.held.size).toBe(4), WAIT)
    scene.host.release()
    expect(new Set(await all).size).toBe(6)
    await end()
  })

  it('that have not arrived when the time of all is over are failed ones, as are those that nobody asked for yet', async () => {
    const { copy, images, uploads, end } = await begin({ imagesMs: 6_000 })
    const links = ['png/first', ...Array.from({ length: 6 }, (_, index) => `silent/${index}`)]
    const [first, ...others] = await Promise.all(links.map(copy))
    expect(first).toEqual(expect.any(String))
    expect(others).toEqual(Array.from({ length: 6 }, () => null))
    expect(await copy('png/late')).toBeNull()
    expect(images.failedLinks.toSorted()).toEqual([...links.slice(1), 'png/late'].map(scene.host.link).toSorted())
    expect(uploads.keys).toHaveLength(1)
    await end()
  })

  it('end with the signal of the approval, and are no failed ones', async () => {
    const ending = new AbortController()
    const { copy, images, end } = await begin({ signal: ending.signal })
    const copies = Promise.allSettled(Array.from({ length: 6 }, (_, index) => copy(`silent/${index}`)))
    const reason = new Error('enough')
    ending.abort(reason)
    expect(await copies).toEqual(Array.from({ length: 6 }, () => ({ status: 'rejected', reason })))
    expect(images.failedLinks).toEqual([])
    await end()
  })

  it('that wait are never begun once it has ended', async () => {
    const { copy, end } = await begin()
    const before = scene.host.requests.length
    const waiting = Promise.allSettled(Array.from({ length: 8 }, (_, index) => copy(`silent/${index}`)))
    await vi.waitFor(() => expect(scene.host.requests.length).toBe(before + 4), WAIT)
    await end()
    expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'))
    expect(scene.host.requests.length).toBe(before + 4)
  })

  it('are stored no more once the claim is lost', async () => {
    const { copy, request, signal, uploads, end } = await begin()
    const others = Promise.allSettled(Array.from({ length: 3 }, (_, index) => copy(`silent/${index}`)))
    await scene.letClaimPass(request)
    const before = await scene.objects()
    await expect(copy('png/1')).rejects.toMatchObject({ code: 'CONFLICT', message: DECIDED })
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(signal.aborted).toBe(true)
    await expect(uploads.record(uploads.keys[0] ?? 'covers/x/y')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await scene.objects()).toEqual(before)
    expect(await scene.read(request)).not.toHaveProperty('pendingUploads')
    await end()
  })
})

describe('a name', () => {
  it('is locked by one approval at a time, in whatever form it is written, and no lease is left', async () => {
    const [first, second] = [await begin(), await begin()]
    await first.locks.lockName('Lantern Keep')
    await first.locks.lockName('Lantern Keep')
    let isLocked = false
    const locked = second.locks.lockName('LANTERN  keep!').then(() => {
      isLocked = true
    })
    await second.locks.lockName('Lantern')
    expect(isLocked).toBe(false)
    await first.end()
    await locked
    expect(await leases()).toHaveLength(2)
    await second.end()
    expect(await leases()).toEqual([])
  })

  it('is waited for no longer than the approval lasts', async () => {
    const ending = new AbortController()
    const [first, second] = [await begin(), await begin({ signal: ending.signal })]
    await first.locks.lockName('Halcyon')
    const locked = second.locks.lockName('Halcyon')
    const reason = new Error('enough')
    ending.abort(reason)
    await expect(locked).rejects.toBe(reason)
    await Promise.all([first.end(), second.end()])
    expect(await leases()).toEqual([])
  })
})

describe('a claim', () => {
  it('that was stored although its answer was lost is released', async () => {
    const request = await scene.insert()
    const strike = scene.strikeAt('approval:claimed', () => {
      throw new Error('lost')
    })
    await expect(claim(scene.service.deps, { requestId: request._id, admin: ADMIN })).rejects.toThrow('lost')
    expect((await scene.read(request)).claimedBy).toEqual(ADMIN._id)
    await scene.untouched(request)
    strike.end()
  })

  it('of somebody else is never released', async () => {
    const request = await scene.insert()
    const retry = vi.fn<ApprovalRunner['retry']>()
    const deps = { ...scene.service.deps, approvalRunner: { retry } }
    const strike = scene.strikeAt('approval:claiming', () => {
      throw new Error('never arrived')
    })
    await expect(claim(deps, { requestId: request._id, admin: ADMIN })).rejects.toThrow('never arrived')
    strike.end()
    const claimed = await claim(deps, { requestId: request._id, admin: ADMIN })
    await retry.mock.calls[0]?.[1]()
    expect(await scene.read(request)).toEqual(claimed)
  })
})
