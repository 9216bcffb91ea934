import { expect, it } from 'vitest'
import { useSyncScene } from '../../support/scenes/sync-scene.ts'

it('200 and the walk ends with its page, with a staff action; the next walk goes on there', async () => {
  const { admin, ended, putNovels, read, service, strikeAt, vndb } = await useSyncScene()
  putNovels(300)
  strikeAt('sync:stored', () => admin.delete('/sync/vndb'))
  service.deps.sourceSyncs.start()
  expect(await ended()).toMatchObject({ read: 100, cursor: 'v100', message: 'Stopped by carol' })
  expect((await admin.get('/staff-actions')).body.results).toMatchObject([{ action: 'sync-stopped' }])

  await expect.poll(() => vndb.requests.length).toBeLessThan(3)
  expect((await admin.post('/sync/vndb')).status).toBe(200)
  expect(await ended()).toMatchObject({ read: 200, message: null })
  expect((await read())?.cursor).toBeNull()
})

it('200 while the source cannot be read, and the pause ends', async () => {
  const { admin, read, service, vndb } = await useSyncScene()
  vndb.fail(503)
  service.deps.sourceSyncs.start()
  await expect.poll(async () => (await read())?.message, { timeout: 8_000 }).toContain('503')

  const { status, body } = await admin.delete('/sync/vndb')
  expect([status, body.state, body.message]).toEqual([200, 'idle', 'Stopped by carol'])
})

it('200 where nothing runs, and nothing changes', async () => {
  const { admin, service } = await useSyncScene()

  const { status, body } = await admin.delete('/sync/vndb')
  expect([status, body.state]).toEqual([200, 'idle'])
  expect(await service.db.staffActions.countDocuments()).toBe(0)
})
