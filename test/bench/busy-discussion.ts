import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { sharedBrowser } from '../support/browser/shared-browser.ts'
import { createCaller } from '../support/clients/caller.ts'
import { insertComment, insertGame, insertUser } from '../support/rows/rows.ts'
import { startServer } from './child.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const COMMENTS = 1_000
const EVENTS_PER_SECOND = 20
const SECONDS = 10

const LONG_MS = 50
/** Chromium reports every task that blocks a page for longer. */
const WATCH = `self.longest = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) self.longest = Math.max(self.longest, duration)
}).observe({ type: 'longtask' })`

/** Measures the tasks of the page's main thread during some work: a frame waits for each. */
async function measure(page: Page, work: () => Promise<void>): Promise<{ busyMs: number; longestMs: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const readSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await page.evaluate(WATCH)
  const before = await readSeconds()
  await work()
  const busyMs = ((await readSeconds()) - before) * 1_000
  return { busyMs, longestMs: Number(await page.evaluate('self.longest')) }
}

/** Shows every comment of a discussion, while others like, edit, write, hide and show. */
export async function benchBusyDiscussion(uri: string, db: Database): Promise<void> {
  const server = await startServer(uri)
  const baseUrl = `http://127.0.0.1:${server.port}`
  const deps = { db, jwtSecret: BENCH_SECRET }
  const author = createCaller({ baseUrl, user: await insertUser(deps, { userName: 'busy-author' }) })
  const reader = createCaller({ baseUrl, user: await insertUser(deps, { userName: 'busy-reader' }) })
  const admin = createCaller({ baseUrl, user: await insertUser(deps, { userName: 'busy-admin', isAdmin: true }) })
  const gameId = await insertGame(db, { name: 'Busy Road', slug: 'busy-road' })
  const userId = new ObjectId(author.id)
  const ids: string[] = []
  for (let index = 0; index < COMMENTS; index += 1) {
    const body = `<p>${'A thought about this game, at some length. '.repeat(3)}</p>`
    const createdAt = new Date(Date.now() - (COMMENTS - index) * 1_000)
    ids.push((await insertComment(db, { gameId, userId, body, createdAt })).toHexString())
  }

  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${baseUrl}/console#/games/busy-road`)
  // Classes find them, because a search by roles would keep the page's own thread busy.
  const shown = page.locator('.discussion > .comments > li')
  const more = page.locator('.discussion > .more')
  await shown.first().waitFor()
  const opening = await measure(page, async () => {
    for (let count = await shown.count(); count < COMMENTS; count = await shown.count()) {
      await more.click()
      await shown.nth(count).waitFor()
    }
  })

  const change = async (index: number) => {
    const id = ids[(index * 37) % COMMENTS]
    const kind = index % EVENTS_PER_SECOND
    if (kind === 0)
      return await reader.post('/comments', { body: { gameId: gameId.toHexString(), body: 'Another thought' } })
    if (kind === 5) return await author.patch(`/comments/${id}`, { body: { body: `Thought again ${index}` } })
    if (kind === 10) return await admin.patch(`/comments/${ids[1]}/status`, { body: { status: 'hidden' } })
    if (kind === 15) return await admin.patch(`/comments/${ids[1]}/status`, { body: { status: 'visible' } })
    return await reader.put(`/comments/${id}/like`)
  }
  const refused: number[] = []
  const live = await measure(page, async () => {
    const running = []
    for (let index = 0; index < SECONDS * EVENTS_PER_SECOND; index += 1) {
      running.push(
        change(index).then(({ status }) => {
          if (status >= 400) refused.push(status)
        }),
      )
      await sleep(1_000 / EVENTS_PER_SECOND)
    }
    await Promise.all(running)
  })
  if (refused.length > 0) throw new Error(`the service answered ${refused}`)
  await (await sharedBrowser()).close()
  await server.stop()

  heading(`A discussion that shows ${COMMENTS} comments, ${EVENTS_PER_SECOND} events a second`)
  line('the main thread is busy', `${(live.busyMs / (SECONDS * 10)).toFixed(0)} of 100`)
  ratio(`the longest task above ${LONG_MS} ms`, live.longestMs, { atMost: LONG_MS })
  line('the longest while all are opened, page by page', `${opening.longestMs.toFixed(0)} ms`)
}
