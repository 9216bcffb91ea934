import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { connection, untilLive } from '../support/browser/page-parts.ts'
import { startConsole, useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { startCutProxy } from '../support/processes/cut-proxy.ts'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { freePort } from '../support/processes/free-port.ts'
import { insertComment, insertConflict, insertGame, insertRequest } from '../support/rows/rows.ts'
import { atEnd } from '../support/service/close-at-end.ts'
import { useService } from '../support/service/start-service.ts'

const CUT_MS = 3_000
const openConsole = useConsole()
let firstId: ObjectId

const other = await useService()
const carol = await other.caller({ userName: 'carol', isAdmin: true })
const dora = await other.caller({ userName: 'dora', isAdmin: true })
const alice = await other.caller({ userName: 'alice' })
const gameId = await insertGame(other.db, { name: 'Amber Road', slug: 'amber-road' })
const royal = await insertGame(other.db, { name: 'Brass Moon', slug: 'brass-moon' })

beforeEach(async () => {
  const { db } = other
  await Promise.all([db.conflicts.deleteMany({}), db.comments.deleteMany({}), db.contentRequests.deleteMany({})])
  firstId = await insertComment(db, { gameId, userId: new ObjectId(alice.id), body: '<p>Before</p>' })
  for (const externalId of ['100', '101', '102']) {
    const candidates = [{ gameId, slug: 'amber-road', name: 'Amber Road', score: 90 }]
    await insertConflict(db, { externalId, externalName: `Entry ${externalId}`, candidates })
  }
  await insertRequest(db, { payload: { name: 'First' } })
  await setRoyal([gameId])
})

const setRoyal = (royalGames: ObjectId[]) =>
  other.db.users.updateOne({ _id: new ObjectId(carol.id) }, { $set: { royalGames } })

async function changeEverything(): Promise<void> {
  await alice.patch(`/comments/${firstId.toHexString()}`, { body: { body: 'Edited meanwhile' } })
  await alice.post('/comments', { body: { gameId: gameId.toHexString(), body: 'Written meanwhile' } })
  await dora.post(`/comments/${firstId.toHexString()}/report`)
  await dora.post('/conflicts/igdb/101/decision', { body: { gameId: null } })
  await insertRequest(other.db, { payload: { name: 'Meanwhile' } })
  await setRoyal([royal, gameId])
}

interface View {
  address: string
  before(page: Page): Promise<void>
  after(page: Page): Promise<void>
}

const VIEWS: Record<string, View> = {
  discussion: {
    address: '#/games/amber-road',
    before: (page) => page.getByRole('article', { name: 'Comment by alice' }).getByText('Before').waitFor(),
    async after(page) {
      await page.getByText('Edited meanwhile').waitFor()
      await page.getByRole('button', { name: '1 new comments' }).click()
      await page.getByText('Written meanwhile').waitFor()
    },
  },
  royal: {
    address: '#/royal',
    before: (page) => page.getByText('1 of 500').waitFor(),
    async after(page) {
      await page.getByText('2 of 500').waitFor()
      const items = page.getByRole('list', { name: 'Royal games' }).getByRole('listitem')
      await items.nth(0).getByText('Brass Moon').waitFor()
    },
  },
  conflicts: {
    address: '#/conflicts',
    before: (page) => page.getByText('3 waiting, 0 being applied').waitFor(),
    async after(page) {
      await page.getByText('2 waiting, 1 being applied').waitFor()
      await page.getByRole('table', { name: 'Conflicts' }).getByText('Skip being applied').waitFor()
    },
  },
  conflict: {
    address: '#/conflicts/igdb/101',
    before: (page) => page.getByRole('heading', { level: 1, name: '101', exact: true }).waitFor(),
    async after(page) {
      await page.getByText('Already decided by dora').waitFor()
      expect(await page.getByRole('button', { name: 'Match' }).isDisabled()).toBe(true)
    },
  },
  requests: {
    address: '#/requests',
    before: (page) => page.getByRole('link', { name: 'New game: First' }).waitFor(),
    after: (page) => page.getByRole('link', { name: 'New game: Meanwhile' }).waitFor(),
  },
  reports: {
    address: '#/reports',
    before: (page) => page.getByText('No reported comments.').waitFor(),
    after: (page) => page.getByRole('list', { name: 'Reported comments' }).getByText('Edited meanwhile').waitFor(),
  },
  operations: {
    address: '#/operations',
    before: (page) => page.getByText('ready', { exact: true }).waitFor(),
    async after(page) {
      await page.waitForResponse((response) => response.url().endsWith('/operations') && response.ok())
      await page.getByText('ready', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    },
  },
}

/** Waits until the navigation shows these numbers beside the lists of admins. */
async function untilWaiting(page: Page, counts: Record<string, number>): Promise<void> {
  for (const [list, count] of Object.entries(counts))
    await page.locator(`#waiting-${list}`).getByText(String(count)).waitFor()
}

/** Opens every view in its own tab, and waits until it is live and shows the state before the changes. */
async function openEverything(baseUrl: string): Promise<{ page: Page; view: View }[]> {
  const { context, page, expectProblem } = await openConsole({ baseUrl }, { as: carol })
  expectProblem(/ERR_|WebSocket|Failed to load/)
  await page.close()
  return await Promise.all(
    Object.values(VIEWS).map(async (view) => {
      const tab = await context.newPage()
      await tab.goto(`${baseUrl}/console${view.address}`)
      await view.before(tab)
      await untilLive(tab)
      await untilWaiting(tab, { conflicts: 3, requests: 1 })
      await tab.evaluate('window.isSamePage = true')
      return { page: tab, view }
    }),
  )
}

async function expectFresh({ page, view }: { page: Page; view: View }): Promise<void> {
  await view.after(page)
  await untilWaiting(page, { conflicts: 2, requests: 2, reports: 1 })
  await untilLive(page)
  expect(await page.evaluate('window.isSamePage')).toBe(true)
}

const expectLost = (tabs: readonly { page: Page }[]) =>
  Promise.all(
    tabs.map(({ page }) =>
      connection(page)
        .getByText(/Connection lost, last heard \d\d:\d\d/)
        .waitFor(),
    ),
  )

test('the operations view reports an outage of the database or the service, and never shows ready', async () => {
  const database = await useDatabaseProxy()
  const service = await useConsoleService({ mongodbUri: database.uri })
  const admin = await service.caller({ isAdmin: true })
  const { page, expectProblem } = await openConsole(service, { as: admin, address: '#/operations' })
  expectProblem(/503|ERR_/)
  await page.getByText('ready', { exact: true }).waitFor()
  database.cut()
  await page.getByRole('alert').getByText('The database does not answer.').waitFor()
  expect(await page.getByText('ready', { exact: true }).count()).toBe(0)
  database.restore()
  await page.getByText('ready', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)

  await page.route('**/readyz', (route) => route.abort())
  await page.getByRole('alert').getByText('The service does not answer.').waitFor()
  expect(await page.getByText('ready', { exact: true }).count()).toBe(0)
  expect(await page.locator('.figures .bad').innerText()).toContain('unknown')
})

describe('every view shows what a fresh read would, without a reload', () => {
  test('after the connection was cut for three seconds', async () => {
    const port = await freePort()
    const wire = await startCutProxy(port)
    const env = { PORT: String(port), CORS_ORIGINS: wire.baseUrl }
    atEnd(wire.close)
    await useService({ mongodbUri: other.mongodbUri, env })
    const tabs = await openEverything(wire.baseUrl)

    wire.cut()
    const cutFor = new Promise((resolve) => setTimeout(resolve, CUT_MS))
    await expectLost(tabs)
    await changeEverything()
    await cutFor
    wire.restore()
    await Promise.all(tabs.map(expectFresh))
  })

  test('after the service was started again', async () => {
    const port = await freePort()
    const start = () => startConsole({ mongodbUri: other.mongodbUri, env: { PORT: String(port) } })
    const first = await start()
    const tabs = await openEverything(first.baseUrl).catch(async (error) => {
      await first.close()
      throw error
    })

    await first.close()
    await expectLost(tabs)
    await changeEverything()
    const second = await start()
    atEnd(second.close)
    await Promise.all(tabs.map(expectFresh))
  })
})
