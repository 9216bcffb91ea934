import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { claim } from '../../../../lib/requests/approval/claim.ts'
import { createApprovalContext } from '../../../../lib/requests/approval/create-approval-context.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'

const ADMIN = { _id: new ObjectId(), userName: 'carol', isAdmin: true }
const DECIDED = 'This request has already been decided, or another moderator is deciding it'
const PATIENCE = { timeout: 20_000, interval: 20 }
vi.setConfig({ testTimeout: 60_000 })

let scene: ApprovalsScene
beforeAll(async () => {
  scene = await startApprovalsScene()
})
afterAll(() => scene.close())

async function begin({ signal = new AbortController().signal, imagesMs = 60_000 } = {}) {
  const { deps } = scene.service
  const request = await claim(deps, { requestId: (await scene.insert())._id, admin: ADMIN })
  const choice = { payload: request.payload, lockSync: false, force: false, signal }
  const entityId = new ObjectId()
  const running = createApprovalContext(deps, { request, ...choice }, { imagesMs })
  const copy = (path: string) => running.approval.copyProposed(scene.host.link(path), 'covers', entityId)
  return { ...running, request, copy, entityId }
}
const leases = () => scene.service.db.leases.find().toArray()

describe('images', () => {
  it('are noted before they are stored, and answered with their addresses', async () => {
    const { copy, request, stored, end } = await begin()
    const { put } = scene.service.deps.storage
    const spy = vi.spyOn(scene.service.deps.storage, 'put').mockImplementationOnce(async (key, ...rest) => {
      expect((await scene.read(request)).work).toEqual([key])
      await put(key, ...rest)
    })
    const url = await copy('png/1')
    expect(spy).toHaveBeenCalledTimes(1)
    spy.mockRestore()
    expect(stored.map(scene.service.deps.storage.urlOf)).toEqual([url])
    expect(await scene.objects()).toContain(stored[0])
    await end()
  })

  it('are copied four at once', async () => {
    const { copy, end } = await begin()
    const all = Promise.all(Array.from({ length: 6 }, (_, index) => copy(`held/${index}`)))
    await vi.waitFor(() => expect(scene.host.held.size).toBe(4), PATIENCE)
    scene.host.release(2)
    await vi.waitFor(() => expect(scene.host.held.size).toBe(4), PATIENCE)
    scene.host.release()
    expect(new Set(await all).size).toBe(6)
    await end()
  })

  it('that have not arrived when the time of all is over are failed ones, as are those that nobody asked for yet', async () => {
    const { copy, approval, stored, end } = await begin({ imagesMs: 6_000 })
    const links = ['png/first', ...Array.from({ length: 6 }, (_, index) => `silent/${index}`)]
    const [first, ...others] = await Promise.all(links.map(copy))
    expect(first).toEqual(expect.any(String))
    expect(others).toEqual(Array.from({ length: 6 }, () => null))
    expect(await copy('png/late')).toBeNull()
    expect(approval.failedImages.toSorted()).toEqual([...links.slice(1), 'png/late'].map(scene.host.link).toSorted())
    expect(stored).toHaveLength(1)
    await end()
  })

  it('end with the signal of the approval, and are no failed ones', async () => {
    const ending = new AbortController()
    const { copy, approval, end } = await begin({ signal: ending.signal })
    const copies = Promise.allSettled(Array.from({ length: 6 }, (_, index) => copy(`silent/${index}`)))
    const reason = new Error('enough')
    ending.abort(reason)
    expect(await copies).toEqual(Array.from({ length: 6 }, () => ({ status: 'rejected', reason })))
    expect(approval.failedImages).toEqual([])
    await end()
  })

  it('that wait are never begun once it has ended', async () => {
    const { copy, end } = await begin()
    const before = scene.host.requests.length
    const waiting = Promise.allSettled(Array.from({ length: 8 }, (_, index) => copy(`silent/${index}`)))
    await vi.waitFor(() => expect(scene.host.requests.length).toBe(before + 4), PATIENCE)
    await end()
    expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'rejected'))
    expect(scene.host.requests.length).toBe(before + 4)
  })

  it('are stored no more once the claim is lost', async () => {
    const { copy, request, approval, stored, end } = await begin()
    const others = Promise.allSettled(Array.from({ length: 3 }, (_, index) => copy(`silent/${index}`)))
    await scene.letClaimPass(request)
    const before = await scene.objects()
    await expect(copy('png/1')).rejects.toMatchObject({ code: 'CONFLICT', message: DECIDED })
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(approval.signal.aborted).toBe(true)
    await expect(approval.noteObject(stored[0] ?? 'covers/x/y')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await scene.objects()).toEqual(before)
    expect(await scene.read(request)).not.toHaveProperty('work')
    await end()
  })
})

describe('a name', () => {
  it('is held by one approval at a time, in whatever form it is written, and no lease is left', async () => {
    const [first, second] = [await begin(), await begin()]
    await first.approval.holdName('Lantern Keep')
    await first.approval.holdName('Lantern Keep')
    let isHeld = false
    const held = second.approval.holdName('LANTERN  keep!').then(() => {
      isHeld = true
    })
    await second.approval.holdName('Lantern')
    expect(isHeld).toBe(false)
    await first.end()
    await held
    expect(second.held).toHaveLength(2)
    await second.end()
    expect(await leases()).toEqual([])
  })

  it('is waited for no longer than the approval lasts', async () => {
    const ending = new AbortController()
    const [first, second] = [await begin(), await begin({ signal: ending.signal })]
    await first.approval.holdName('Halcyon')
    const held = second.approval.holdName('Halcyon')
    const reason = new Error('enough')
    ending.abort(reason)
    await expect(held).rejects.toBe(reason)
    await Promise.all([first.end(), second.end()])
    expect(await leases()).toEqual([])
  })
})

describe('a claim', () => {
  it('that was stored although its answer was lost is given back', async () => {
    const request = await scene.insert()
    const { contentRequests } = scene.service.db
    const claim = contentRequests.findOneAndUpdate.bind(contentRequests)
    const spy = vi.spyOn(contentRequests, 'findOneAndUpdate').mockImplementationOnce((async (
      ...args: Parameters<typeof claim>
    ) => {
      await claim(...args)
      throw new Error('lost')
      // The overloads differ in what they answer, and this one never does.
    }) as unknown as typeof claim)
    await expect(claim(scene.service.deps, { requestId: request._id, admin: ADMIN })).rejects.toThrow('lost')
    expect((await scene.read(request)).claimedBy).toEqual(ADMIN._id)
    await scene.untouched(request)
    spy.mockRestore()
  })

  it('of somebody else is never given back', async () => {
    const request = await scene.insert()
    const { contentRequests } = scene.service.db
    const spy = vi.spyOn(contentRequests, 'findOneAndUpdate').mockRejectedValueOnce(new Error('never arrived'))
    const tryAgain = vi.fn<(what: string, work: () => Promise<void>) => void>()
    const deps = { db: scene.service.db, approvalRunner: { tryAgain } }
    await expect(claim(deps, { requestId: request._id, admin: ADMIN })).rejects.toThrow('never arrived')
    spy.mockRestore()
    const claimed = await claim(deps, { requestId: request._id, admin: ADMIN })
    await tryAgain.mock.calls[0]?.[1]()
    expect(await scene.read(request)).toEqual(claimed)
  })
})
