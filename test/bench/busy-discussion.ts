import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { sharedBrowser } from '../support/browser/shared-browser.ts'
import { createCaller } from '../support/clients/caller.ts'
import { insertComment, insertGame, insertUser } from '../support/rows/rows.ts'
import { startChild } from './child.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const COMMENTS = 1_000
const EVENTS_PER_SECOND = 20
const SECONDS = 10

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args: { name?: string; data?: { frames?: { url: string; processId?: number }[] } }
}

interface Task {
  ms: number
  cpuMs: number
}

/** Tasks of the page's main thread, the longest first by CPU: a frame waits for each, and longer where the machine is busy. */
function readTasks(trace: readonly TraceEvent[]): Task[] {
  const busy = new Map<string, Task[]>()
  const mains = new Set<string>()
  for (const { name, ph, pid, tid, dur = 0, tdur = 0, args } of trace) {
    const thread = `${pid}/${tid}`
    if (name === 'thread_name' && args.name === 'CrRendererMain') mains.add(thread)
    if (ph === 'X' && name === 'RunTask') {
      const tasks = busy.get(thread) ?? []
      tasks.push({ ms: dur / 1_000, cpuMs: tdur / 1_000 })
      busy.set(thread, tasks)
    }
  }
  // The page that is traced is the one that works.
  const [most = []] = [...busy]
    .filter(([thread]) => mains.has(thread))
    .map(([, tasks]) => tasks)
    .sort((a, b) => sumOf(b) - sumOf(a))
  return most.toSorted((a, b) => b.cpuMs - a.cpuMs)
}

const LONG_MS = 50
const isLong = ({ cpuMs }: Task) => cpuMs > LONG_MS
const describe = (task: Task | undefined) => `${task?.cpuMs.toFixed(0)} ms CPU, ${task?.ms.toFixed(0)} ms`
const sumOf = (tasks: readonly Task[]) => tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0)

async function trace(page: Page, work: () => Promise<void>): Promise<Task[]> {
  const browser = await sharedBrowser()
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await work()
  // Chromium writes its traces so.
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  return readTasks(traceEvents)
}

/** A discussion of which every comment is shown, while others like, edit, write, hide and show. */
export async function benchBusyDiscussion(uri: string, db: Database): Promise<void> {
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  const baseUrl = `http://127.0.0.1:${await server.ask('port')}`
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
  // By their classes: to find them by their roles would keep the page's own thread busy.
  const shown = page.locator('.discussion > .comments > li')
  const more = page.locator('.discussion > .more')
  await shown.first().waitFor()
  const opening = await trace(page, async () => {
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
  const live = await trace(page, async () => {
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
  const [longest, longestOpening] = [live, opening].map(([first]) => first ?? { ms: Number.NaN, cpuMs: Number.NaN })
  line('CPU of the main thread', `${((100 * sumOf(live)) / (SECONDS * 1_000)).toFixed(0)} of 100`)
  line(
    'the longest task, and how long it took',
    `${describe(longest)}; ${live.filter(isLong).length} of ${live.length} above ${LONG_MS} ms`,
  )
  ratio('its ms of CPU', longest?.cpuMs ?? Number.NaN, { atMost: LONG_MS })
  line('the longest while all are opened, page by page', describe(longestOpening))
}
