import { ObjectId } from 'mongodb'
import type { BrowserContext, Page, Request } from 'playwright-core'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { sharedBrowser } from '../support/browser/shared-browser.ts'
import { toCookies } from '../support/browser/sign-in.ts'
import { createCaller } from '../support/clients/caller.ts'
import { freePort } from '../support/processes/free-port.ts'
import { insertComment, insertConflict, insertRequest, insertUser } from '../support/rows/rows.ts'
import { startServer } from './child.ts'
import { median } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET, type Scene } from './scene.ts'

const WIDTHS = [320, 1440]
const CONFLICTS = 12
const ROYAL_OPENINGS = 5
const KB = 1024

/** The page itself sums up its layout shifts, and measures when the selector first matches. */
const watch = (selector: string) => `{
  self.shift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) self.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const watcher = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    watcher.disconnect()
    requestAnimationFrame(() => { document.documentElement.dataset.usable = performance.now() })
  })
  watcher.observe(document, { childList: true, subtree: true, attributes: true })
}`

interface Opening {
  usableMs: number
  requests: number
  scriptBytes: number
  shift: number
}

const SETTLE_MS = 1_000

const readUsableMs = async (page: Page): Promise<number> =>
  Number(await page.locator('html[data-usable]').getAttribute('data-usable'))

/** Opens a page, waits until the selector matches, and then for late layout shifts. */
async function openView(context: BrowserContext, address: string, selector: string): Promise<Opening & { page: Page }> {
  const page = await context.newPage()
  await page.addInitScript(watch(selector))
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto(address)
  const usableMs = await readUsableMs(page)
  const usableAt = Number(await page.evaluate('performance.timeOrigin')) + usableMs
  const counted = requests.filter(
    (request) => request.resourceType() !== 'image' && request.timing().startTime <= usableAt,
  )
  const scripts = counted.filter((request) => request.resourceType() === 'script')
  const sizes = await Promise.all(scripts.map((request) => request.sizes()))
  const scriptBytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  await page.waitForTimeout(SETTLE_MS)
  return { page, usableMs, requests: counted.length, scriptBytes, shift: Number(await page.evaluate('self.shift')) }
}

/** Milliseconds from the key that decides a conflict to the heading of the next. */
async function timeNext(page: Page): Promise<number> {
  await page.evaluate(`void (self.next = new Promise((resolve) => {
    const before = location.hash
    addEventListener('keydown', () => {
      const pressedAt = performance.now()
      const watcher = new MutationObserver(() => {
        if (location.hash === before || document.querySelector('.option') === null) return
        watcher.disconnect()
        requestAnimationFrame(() => resolve(performance.now() - pressedAt))
      })
      watcher.observe(document, { childList: true, subtree: true, characterData: true })
    }, { once: true, capture: true })
  }))`)
  await page.keyboard.press('ArrowRight')
  return Number(await page.evaluate('self.next'))
}

async function fill(db: Database, { games, voteIds }: Scene, userId: ObjectId): Promise<string> {
  const [gameId, other] = games.map((id) => new ObjectId(id))
  if (gameId === undefined || other === undefined) throw new Error('The scene has no games')
  const royalGames = games.map((id) => new ObjectId(id))
  await db.users.updateOne({ _id: userId }, { $set: { royalGames } })
  for (let index = 0; index < CONFLICTS; index += 1) {
    const candidates = [gameId, other].map((id) => ({ gameId: id, slug: 'a', name: 'A', score: 80 }))
    await insertConflict(db, { externalId: String(index), externalName: `Entry ${index}`, candidates })
  }
  await db.comments.updateOne({ _id: new ObjectId(voteIds[0]) }, { $set: { reportsCount: 2 } })
  const { _id } = await insertRequest(db, { userId, payload: { name: 'A new game', summary: 'A road. '.repeat(100) } })
  await insertComment(db, { gameId, userId, body: '<p>The last word</p>' })
  return _id.toHexString()
}

/** Measures what the first opening of each view costs a browser, and how much its layout shifts. */
export async function benchConsole(uri: string, db: Database, scene: Scene): Promise<void> {
  const port = await freePort()
  const server = await startServer(uri, { env: { BENCH_PORT: String(port) } })
  const baseUrl = `http://localhost:${port}`
  const user = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'console-admin', isAdmin: true })
  const admin = createCaller({ baseUrl, user })
  const requestId = await fill(db, scene, new ObjectId(admin.id))
  const browser = await sharedBrowser()
  const open = async (address: string, selector: string, { isGuest = false, width = 1440 } = {}) => {
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    if (!isGuest) await context.addCookies(toCookies(admin, baseUrl))
    return await openView(context, `${baseUrl}/console${address}`, selector)
  }

  heading('The console in a browser with an empty cache')
  const first = await open('', 'main input[type="search"]', { isGuest: true })
  ratio('KB of JavaScript before the first view, on the wire', first.scriptBytes / KB, { atMost: 60 })
  ratio('seconds until it is usable, on loopback', first.usableMs / 1_000, { atMost: 1 })
  ratio('requests until it is usable, pictures aside', first.requests, { atMost: 12 })
  await first.page.context().close()

  const views: Readonly<Record<string, [address: string, selector: string]>> = {
    home: ['', '.game-cards li'],
    discussion: [`#/games/${scene.gameId}`, '.discussion .comment'],
    royal: ['#/royal', '.royal-item:nth-child(500)'],
    'my requests': ['#/my-requests', '.panel'],
    conflicts: ['#/conflicts', '.table-frame td'],
    conflict: ['#/conflicts/igdb/0', '.option'],
    requests: ['#/requests', '.table-frame td'],
    request: [`#/requests/${requestId}`, '.decision-form'],
    reports: ['#/reports', '.report'],
    'staff log': ['#/log', '.filters'],
    operations: ['#/operations', '.figures'],
  }
  const shifts = new Map<string, number>()
  const requests = new Map<string, number>()
  for (const [name, [address, selector]] of Object.entries(views)) {
    for (const width of WIDTHS) {
      const { page, ...opening } = await open(address, selector, { width })
      shifts.set(`${name}, ${width} px`, opening.shift)
      requests.set(name, opening.requests)
      await page.context().close()
    }
  }
  const greatest = (values: ReadonlyMap<string, number>) =>
    [...values].sort((a, b) => b[1] - a[1])[0] ?? ['', Number.NaN]
  const [mostName, most] = greatest(requests)
  line('most requests of an admin until a view is usable', `${most} (${mostName})`)
  const [shiftName, shift] = greatest(shifts)
  ratio(`the greatest layout shift (${shiftName})`, shift, { atMost: 0.1 })

  const royalMs: number[] = []
  for (let count = 0; count < ROYAL_OPENINGS; count += 1) {
    const royal = await open('#/royal', '.royal-item:nth-child(500)')
    royalMs.push(royal.usableMs)
    await royal.page.context().close()
  }
  ratio('ms until 500 royal games are usable', median(royalMs), { atMost: 600 })

  const review = await open('#/conflicts/igdb/0', '.option')
  const times: number[] = []
  for (let count = 0; count < CONFLICTS - 2; count += 1) {
    times.push(await timeNext(review.page))
    await review.page.waitForTimeout(SETTLE_MS / 2)
  }
  ratio('ms from the key to the next conflict', median(times), { atMost: 100 })
  await browser.close()
  await server.stop()
}
