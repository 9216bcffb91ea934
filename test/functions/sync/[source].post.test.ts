import { expect, it } from 'vitest'
import { useSyncScene } from '../../support/scenes/sync-scene.ts'

it('200 and a walk begins; 409 while it runs; a staff action for the one start', async () => {
  const { admin, service, ended, putNovels } = await useSyncScene()
  putNovels(3)
  const answers = await Promise.all([1, 2, 3].map(() => admin.post('/sync/vndb')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
    source: 'vndb',
    state: 'running',
    nextAt: null,
  })
  expect(answers.find(({ status }) => status === 409)?.body.message).toBe('A walk of this source runs already')

  service.deps.sourceSyncs.start()
  expect(await ended()).toMatchObject({ read: 3 })
  const actions = (await admin.get('/staff-actions')).body.results
  expect(actions).toMatchObject([
    { action: 'sync-started', admin: { userName: 'carol' }, target: { kind: 'source', id: 'vndb', name: 'VNDB' } },
  ])
})

it('200 on one instance, and another takes the walk up', async () => {
  const scene = await useSyncScene()
  const other = await scene.startAnother()
  other.deps.sourceSyncs.start()
  const { finishedAt } = (await scene.ended()) ?? {}

  expect((await scene.admin.post('/sync/vndb')).status).toBe(200)
  await expect.poll(async () => (await scene.read())?.finishedAt, { timeout: 8_000 }).not.toEqual(finishedAt)
  await other.close()
})

it.each(['igdb', 'ra'])('400 where %s is off', async (source) => {
  const { admin, service } = await useSyncScene()

  const { status, body } = await admin.post(`/sync/${source}`)
  expect([status, body.message]).toEqual([
    400,
    'The service does not read this source by itself: SYNC does not name it',
  ])
  expect(await service.db.syncs.countDocuments()).toBe(0)
})
