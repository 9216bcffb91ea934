import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { releaseClaims } from '../../lib/domain/requests/live-claim.ts'
import type { ContentRequestDocument } from '../../lib/infrastructure/db/collections/content-requests.ts'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { isObjectKey } from '../../lib/infrastructure/storage/storage.ts'
import { openTestBucket, type TestBucket } from '../support/processes/s3-bucket.ts'
import { runChangesUntilKilled } from '../support/processes/spawn-change.ts'
import { insertCharacter, insertGame } from '../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../support/scenes/approvals-scene.ts'
import { pngOf } from '../support/scenes/storage-scene.ts'
import { APPROVAL_STEPS } from '../support/tools/approval-steps.ts'

const KILLED = APPROVAL_STEPS.filter(({ failure }) => failure !== 'tried again')
const CLEANING_UP = KILLED.filter(({ step }) => step.includes('orphans'))
const toSteps = (steps: typeof KILLED) => steps.map(({ step }): Step => [step])
/** The number says how often an approval passes the step before. Only an approved correction has something to delete. */
const STEPS: Readonly<Record<What, readonly Step[]>> = {
  'a new game': [
    ...toSteps(KILLED.filter((step) => !CLEANING_UP.includes(step))),
    ['approval:upload-recorded', 2],
    ['approval:uploaded', 2],
  ],
  'a corrected game': [['approval:uploaded', 2], ...toSteps(CLEANING_UP), ['approval:entry-written']],
  'a new character': [['approval:uploaded'], ['approval:committed'], ['approval:staff-action-recorded']],
}
type Step = readonly [step: string, after?: number]
/** A transaction of a killed process blocks its documents until it ends by itself. */
const IN_TRANSACTION = new Set(KILLED.filter(({ isInTransaction }) => isInTransaction).map(({ step }) => step))
const COMMITTED = new Set(KILLED.filter(({ failure }) => failure === 'stands').map(({ step }) => step))
const WAIT = { timeout: 90_000, interval: 100 }

/** The names are so unlike that no game may be taken for another. */
const NAMES = (
  'Halcyon Vermilion Quartz Sundial Mistral Obsidian Tundra Lantern Cobalt Ember Juniper Marzipan Nocturne Pilgrim ' +
  'Rhubarb Saffron Thimble Umbra Willow Xylophone Yonder Zephyr Anvil Bramble Cinder Dapple Fennel Gossamer'
).split(' ')

interface Case {
  what: What
  step: string
  after: number
}
const WHATS = ['a new game', 'a corrected game', 'a new character'] as const
type What = (typeof WHATS)[number]
const CASES: readonly Case[] = WHATS.flatMap((what) =>
  STEPS[what].map(([step, after = 0]) => ({ what, step, after })),
).sort((a, b) => Number(IN_TRANSACTION.has(a.step)) - Number(IN_TRANSACTION.has(b.step)))

describe.each(['local files and a new start', 'a bucket and a takeover'])(
  'an approval that is killed, with %s',
  (place) => {
    const isTakeover = place === 'a bucket and a takeover'
    let bucket: TestBucket | undefined
    let scene: ApprovalsScene
    let requests: ContentRequestDocument[]
    let before: { games: GameDocument[]; characters: number; kept: string[] }

    const link = (path: string) => scene.host.link(`png/${path}`)
    async function storeObject(folder: 'covers' | 'screenshots', entity: ObjectId): Promise<string> {
      const { storage } = scene.service.deps
      const key = `${folder}/${entity.toHexString()}/${new ObjectId().toHexString()}` as const
      await storage.put(key, { bytes: pngOf(), type: 'image/png' })
      return key
    }
    async function insert({ what }: Case, index: number): Promise<ContentRequestDocument> {
      const images = { cover: link('a'), screenshots: [link('b'), link('c')] }
      if (what === 'a new character') {
        return await scene.insert({ kind: 'character', payload: { name: `Wick ${index}`, mugShot: link('a') } })
      }
      if (what === 'a new game') {
        const vndbId = `v${index + 1}`
        scene.vndb.put({ id: vndbId, title: `Novel ${index}` })
        return await scene.insert({ payload: { name: NAMES[index], vndbId, ...images } })
      }
      const targetId = new ObjectId()
      const screenshots = [await storeObject('screenshots', targetId)]
      await insertGame(scene.service.db, {
        _id: targetId,
        name: NAMES[index] ?? '',
        cover: await storeObject('covers', targetId),
        screenshots,
      })
      return await scene.insert({ action: 'update', targetId, payload: images })
    }
    async function approveAndDie(): Promise<void> {
      const changes = CASES.map((each, index) => ({ ...each, verb: 'approve', id: String(requests[index]?._id) }))
      await runChangesUntilKilled(scene.env, changes)
    }
    const toKeys = (image = '') => (isObjectKey(image) ? [image] : [])
    const games = () => scene.service.db.games.find().sort({ _id: 1 }).toArray()

    /** Expects the entries and objects from before, those of these cases, and no others. */
    async function expectNothingElse(committed: readonly Case[]): Promise<void> {
      const added = (what: What) => committed.filter((each) => each.what === what).length
      expect(await scene.entries()).toEqual({
        games: before.games.length + added('a new game'),
        characters: before.characters + added('a new character'),
      })
      const [all, people] = [await games(), await scene.service.db.characters.find().toArray()]
      const referenced = [
        ...all.flatMap(({ cover, screenshots = [] }) => [cover, ...screenshots]),
        ...people.map(({ mugShot }) => mugShot),
      ].flatMap(toKeys)
      expect(referenced).toHaveLength(new Set(referenced).size)
      await expect.poll(scene.objects, WAIT).toEqual(referenced.toSorted())
      expect(referenced).toEqual(expect.arrayContaining(before.kept))
    }

    beforeAll(async () => {
      if (isTakeover) bucket = await openTestBucket()
      scene = await startApprovalsScene({ ...(bucket && { bucket }) })
      await insertCharacter(scene.service.db)
      requests = []
      for (const [index, each] of CASES.entries()) requests.push(await insert(each, index))
      const kept = (await games()).flatMap(({ screenshots = [] }) => screenshots).flatMap(toKeys)
      before = { games: await games(), characters: 1, kept }

      await approveAndDie()
      if (isTakeover) {
        const pending = { status: 'pending', claimedAt: { $ne: null } } as const
        const claimed = await scene.service.db.contentRequests.find(pending).toArray()
        await Promise.all(claimed.map(scene.letClaimPass))
      } else {
        // The transactions of a killed process end by themselves, as a new start of the embedded database would end them.
        await vi.waitFor(() => releaseClaims(scene.service.deps), WAIT)
        scene.service.deps.requestsCleanUp.start()
      }
    })
    afterAll(async () => {
      await scene.close()
      bucket?.close()
    })

    if (!isTakeover) {
      it('leaves nothing but what was committed, and no request that is claimed', async () => {
        const committed = CASES.filter(({ step }) => COMMITTED.has(step))
        expect(await scene.service.db.staffActions.countDocuments()).toBe(committed.length)
        await expectNothingElse(committed)
        for (const [index, { step }] of CASES.entries()) {
          const request = requests[index]
          if (request && !COMMITTED.has(step)) await scene.untouched(request)
        }
      })
    }

    it.each(CASES.map((each, index) => ({ ...each, index })))(
      '$what that is killed at $step after $after is approved once',
      async ({ what, step, index }) => {
        const request = requests[index]
        if (request === undefined) throw new Error('each has one')
        if (!isTakeover && !COMMITTED.has(step)) await scene.untouched(request)

        const { status, body } = await scene.decide(request)
        if (COMMITTED.has(step)) expect(status).toBe(409)
        else {
          expect({ status, body }).toMatchObject({ status: 200, body: { failedImages: [], warnings: [] } })
        }
        const approved = await scene.read(request)
        expect(approved).toMatchObject({ status: 'approved', decidedBy: expect.any(ObjectId) })
        expect(approved.resultId).toBeInstanceOf(ObjectId)
        if (what === 'a corrected game') expect(approved.resultId).toEqual(request.targetId)
      },
    )

    it('leaves one entry of each, and no object that nothing refers to', async () => {
      // The second run deletes what a bucket may store late.
      for (let run = 0; run < 2; run++) await scene.sweep()
      await expectNothingElse(CASES)
      const left = { $or: [{ 'pendingUploads.0': { $exists: true } }, { claimedAt: { $ne: null } }] }
      await expect.poll(() => scene.service.db.contentRequests.countDocuments(left), WAIT).toBe(0)
      const recorded = await scene.service.db.staffActions.find({ action: 'request-approved' }).toArray()
      expect(recorded.map(({ target }) => target.id).toSorted()).toEqual(
        requests.map(({ _id }) => _id.toHexString()).toSorted(),
      )
    })
  },
)
