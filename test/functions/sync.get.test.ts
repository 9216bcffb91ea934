import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { useSyncScene } from '../support/scenes/sync-scene.ts'

const NOTHING = { read: 0, matched: 0, new: 0, waiting: 0, refreshed: 0, unchanged: 0, refused: 0, message: null }
const NEVER = { state: 'idle', startedAt: null, finishedAt: null, nextAt: null, ...NOTHING }

it('200 with each source that can be walked, and the counts of its last walk', async () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  const scene = await useSyncScene({ env: { SYNC_NEW: 'conflicts' }, clock: () => now })
  expect((await scene.admin.get('/sync')).body).toEqual({
    results: [
      { source: 'igdb', isOn: false, ...NEVER },
      { source: 'vndb', isOn: true, ...NEVER },
      { source: 'ra', isOn: false, ...NEVER },
    ],
  })

  scene.putNovels(20)
  scene.service.deps.sourceSyncs.start()
  await scene.ended()
  const { body } = await scene.admin.get('/sync')
  const { read, matched, new: created, waiting, refreshed, unchanged, refused, ...row } = body.results[1]
  expect(row).toEqual({
    source: 'vndb',
    isOn: true,
    state: 'idle',
    startedAt: now.toISOString(),
    finishedAt: now.toISOString(),
    nextAt: '2026-11-22T10:00:00.000Z',
    message: null,
  })
  expect(read).toBe(20)
  expect(matched + created + waiting + refreshed + unchanged + refused).toBe(20)
})

it('200 where a command reads a source that is off, until it has ended or was killed', async () => {
  const { admin, service } = await useSyncScene()
  const startedAt = new Date()
  const walk = { cursor: null, startedAt, finishedAt: null, reader: 'a command', ...NOTHING }
  await service.db.syncs.insertOne({ _id: 'igdb', state: 'running', walkId: new ObjectId(), ...walk })
  const read = async () => (await admin.get('/sync')).body.results[0]
  expect(await read()).toMatchObject({ isOn: false, state: 'idle' })

  await service.db.leases.insertOne({ _id: 'sync/igdb', until: new Date(Date.now() + 60_000) })
  expect(await read()).toMatchObject({ isOn: false, state: 'running' })
})
