import { expect, it } from 'vitest'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { useSyncScene } from '../../../support/scenes/sync-scene.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'

const scene = await useSyncScene()
scene.putNovels(150)
const sync = (...args: string[]) =>
  runCommand('sync-command', args, { ...scene.env, SYNC: '', SYNC_NEW: 'games', MONGODB_URI: scene.service.mongodbUri })

it('writes nothing in a dry run, and shows up to 20 entries of each outcome', async () => {
  const { code, stdout } = await sync('vndb', '--dry-run')

  expect(code).toBe(0)
  expect(stdout).toContain('new, the first 20:')
  expect(stdout.match(/Quiet Harbour/g)).toHaveLength(20)
  expect(stdout).toMatch(/^read +150$/m)
  const { conflicts, syncs, leases } = scene.service.db
  expect(await Promise.all([conflicts, syncs, leases].map((each) => each.countDocuments()))).toEqual([0, 0, 0])
})

it('makes no collection and no index in a dry run', async () => {
  const { uri, db } = await useBareDatabase()
  const { stdout } = await runCommand('sync-command', ['vndb', '--dry-run', '--limit', '5'], {
    ...scene.env,
    MONGODB_URI: uri,
  })
  expect(stdout).toMatch(/^read +5$/m)
  expect(await db.listCollections().toArray()).toEqual([])
})

it('reads a source that SYNC does not name, as far as its limit, and the next run goes on there', async () => {
  const first = await sync('vndb', '--limit', '100')
  expect(first).toMatchObject({ code: 0 })
  expect(first.stdout).toMatch(/^read +100$/m)
  expect(await scene.read()).toMatchObject({ state: 'idle', cursor: 'v100' })

  expect((await sync('vndb')).stdout).toMatch(/^read +50$/m)
  expect(await scene.service.db.conflicts.countDocuments({ source: 'vndb' })).toBe(150)
})

it('begins where --since says', async () => {
  scene.igdb.games.push({ id: 1, name: 'Old', updated_at: 1 }, { id: 2, name: 'New', updated_at: 2_000_000_000 })

  expect((await sync('igdb', '--since', '2026-01-01')).stdout).toMatch(/^read +1$/m)
})

it('names the process that reads the source already', async () => {
  await scene.service.db.leases.updateOne(
    { _id: 'sync/vndb' },
    { $set: { holder: 'other', until: new Date(Date.now() + 60_000) } },
  )

  expect(await sync('vndb')).toEqual(refusedWith(/^VNDB is being read by .+, process \d+\n$/))
})

it.each([
  [['steam'], /^Usage: npm run sync -- <igdb\|vndb\|ra>/],
  [['vndb', '--limit', '0'], /^Usage: /],
  [['igdb', '--since', 'yesterday'], /^Usage: /],
  [['vndb', '--since', '2026-01-01'], /^VNDB is always read as a whole, so leave out --since\n$/],
])('exits 1 with one line for %j', async (args, line) => {
  expect(await sync(...args)).toEqual(refusedWith(line))
})

it('exits 1 with one line for a source that is not configured', async () => {
  const env = { MONGODB_URI: scene.service.mongodbUri }

  expect(await runCommand('sync-command', ['ra'], env)).toEqual(refusedWith('RetroAchievements is not configured\n'))
})
