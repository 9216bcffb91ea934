import { expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { startConsole } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { useSyncScene } from '../support/scenes/sync-scene.ts'

const openConsole = useConsole()
const WAIT = { timeout: 60_000 }

test('an admin starts a walk, follows it, stops it and reads its result, without a reload', async () => {
  const scene = await useSyncScene({ sync: 'vndb', start: startConsole })
  scene.putNovels(450)
  const { page } = await openConsole(scene.service, { as: scene.admin, address: '#/sync' })
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
  const rowOf = (name: string) =>
    page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: name })
  const row = rowOf('VNDB')
  await row.getByText('Never read, due now').waitFor()
  await rowOf('IGDB').getByText('Not named by SYNC').waitFor()
  expect(await page.getByRole('link', { name: 'Sources' }).getAttribute('aria-current')).toBe('page')

  let release = () => {}
  scene.strikeAt('sync:stored', () => {
    release = scene.vndb.hold()
  })
  await row.getByRole('button', { name: 'Start VNDB' }).click()
  await page.getByText('A walk of VNDB has started').waitFor()
  scene.service.deps.sourceSyncs.start()
  await row.getByText('running').waitFor()
  await row.locator('[data-column=Read]').getByText('100').waitFor()
  await row.getByRole('img', { name: '0 matched, 0 new, 0 refreshed, 100 unchanged, 0 waiting, 0 refused' }).waitFor()
  await expectAccessible(page)

  await row.getByRole('button', { name: 'Stop VNDB' }).click()
  await row.getByText('Stopped by carol').waitFor()
  release()
  await expect.poll(() => scene.vndb.open(), WAIT).toBe(0)
  await row.getByRole('button', { name: 'Start VNDB' }).press('Enter')
  await expect.poll(() => row.locator('[data-column=Read]').textContent(), WAIT).toBe('350')
  await row.getByText('idle').waitFor()
  await row.getByText(/^Ended .*, next at /).waitFor()

  await page.goto(`${scene.service.baseUrl}/console#/log`)
  await page.getByText('stopped the walk of VNDB').waitFor()
  expect(await page.getByText('started a walk of VNDB').count()).toBe(2)
})
