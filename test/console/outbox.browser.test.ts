import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { composer, HOLD_MS, outbox, untilLive } from '../support/browser/page-parts.ts'
import { signOut } from '../support/browser/sign-in.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertGame, insertRequest } from '../support/rows/rows.ts'

const openConsole = useConsole()
let reader: Caller
let gameId: string
let commentId: string

const service = await useConsoleService()
beforeEach(async () => {
  reader = await service.caller()
  gameId = (await insertGame(service.db, { name: 'Lantern Keep' })).toHexString()
  commentId = await comment('The bridge holds.')
})

async function comment(body: string): Promise<string> {
  const { status, body: created } = await reader.post('/comments', { body: { gameId, body } })
  expect(status).toBe(201)
  return created._id
}

const undo = (page: Page) => outbox(page).getByRole('button', { name: 'Undo' })
const own = (page: Page) => page.getByRole('article', { name: `Comment by ${reader.user?.userName}` })
const statusOf = async (id: string) => (await service.db.comments.findOne({ _id: new ObjectId(id) }))?.status
const storedList = async () => {
  const { royalGames = [] } = (await service.db.users.findOne({ _id: new ObjectId(reader.id) })) ?? {}
  return royalGames.map(String)
}
const setList = (royalGames: readonly ObjectId[]) =>
  service.db.users.updateOne({ _id: new ObjectId(reader.id) }, { $set: { royalGames: [...royalGames] } })

async function openGame(options: { viewport?: { width: number; height: number } } = {}) {
  const tab = await openConsole(service, { as: reader, address: `#/games/${gameId}`, hasClock: true, ...options })
  await own(tab.page).first().waitFor()
  await untilLive(tab.page)
  return tab
}

test('a deleted comment goes at once, comes back with Undo or U, and is sent after six seconds', async () => {
  const { page } = await openGame()
  const deleted: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deleted.push(request.url())
  })
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await own(page).waitFor({ state: 'detached' })
  await undo(page).click()
  await own(page).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')

  await own(page).getByRole('button', { name: 'Delete' }).click()
  await composer(page).focus()
  await page.keyboard.press('u')
  await own(page).waitFor({ state: 'detached' })
  await page.getByRole('main').focus()
  await page.keyboard.press('Control+u')
  await page.keyboard.press('u')
  await own(page).waitFor()
  await page.clock.fastForward(2 * HOLD_MS)
  expect(deleted).toEqual([])
  expect(await composer(page).inputValue()).toBe('u')

  await own(page).getByRole('button', { name: 'Delete' }).click()
  await expectAccessible(page, 'outbox')
  await page.clock.fastForward(HOLD_MS)
  await expect.poll(() => statusOf(commentId)).toBe('deleted')
  await outbox(page).waitFor({ state: 'detached' })
  expect(await own(page).count()).toBe(0)
  expect(deleted.length).toBe(1)
})

test('a deleted comment comes back with the sentence of the service when it is refused, and can be sent again', async () => {
  const { page, expectProblem } = await openGame()
  expectProblem(/503/)
  await page.route(`**/comments/${commentId}`, (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, message: 'Service Unavailable' } }),
  )
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await own(page).waitFor({ state: 'detached' })
  await page.clock.fastForward(HOLD_MS)
  await outbox(page).getByRole('alert').getByText('Service Unavailable').waitFor()
  await own(page).waitFor()
  expect(await statusOf(commentId)).toBe('visible')
  await page.unroute(`**/comments/${commentId}`)
  await outbox(page).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => statusOf(commentId)).toBe('deleted')
  await outbox(page).waitFor({ state: 'detached' })
})

test('a deleted comment waits for a connection that is cut while the outbox holds it', async () => {
  const { page, context, expectProblem } = await openGame()
  expectProblem(/ERR_INTERNET_DISCONNECTED/)
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await context.setOffline(true)
  await page.getByText(/^Connection lost/).waitFor()
  await page.clock.fastForward(2 * HOLD_MS)
  await outbox(page).getByText('sent once connected').waitFor()
  expect(await undo(page).isEnabled()).toBe(true)
  expect(await statusOf(commentId)).toBe('visible')
  await context.setOffline(false)
  await expect.poll(() => statusOf(commentId)).toBe('deleted')
  await outbox(page).waitFor({ state: 'detached' })
})

test('a deleted comment is refused under the session of another user, who is named, and stays', async () => {
  const { page, context, expectProblem } = await openGame()
  expectProblem(/409/)
  const admin = await service.caller({ userName: 'keeper', isAdmin: true })
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await undo(page).waitFor()
  // Another page of the site signed them in.
  const [name = '', value = ''] = admin.cookie.split('=')
  await context.addCookies([{ name, value, url: service.baseUrl }])
  await page.clock.fastForward(HOLD_MS)
  const refusal = outbox(page).getByRole('alert')
  await refusal.getByText('The session is that of keeper').waitFor()
  expect(await refusal.innerText()).toContain('Reload the page to continue as that user.')
  expect(await statusOf(commentId)).toBe('visible')
})

test('a deleted comment is sent before its author signs out', async () => {
  const { page } = await openGame()
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await undo(page).waitFor()
  await signOut(page, reader.user?.userName)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await outbox(page).waitFor({ state: 'detached' })
  expect(await statusOf(commentId)).toBe('deleted')
})

test('three held actions are sent when the page is closed', async () => {
  const games = await Promise.all(['Amber Road', 'Brass Moon'].map((name) => insertGame(service.db, { name })))
  await setList(games)
  const userId = new ObjectId(reader.id)
  const { _id } = await insertRequest(service.db, { userId, payload: { name: 'Tide Gate' } })
  const { page } = await openGame()
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  const heldAt = Date.now()
  await own(page).getByRole('button', { name: 'Delete' }).click()
  await link('Royal games')
  await page.getByRole('button', { name: 'Remove Amber Road' }).click()
  await link('My requests')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('list', { name: 'My requests' }).getByText('Withdrawn').waitFor()
  const [held, status] = [await outbox(page).getByRole('listitem').allInnerTexts(), await statusOf(commentId)]
  // A page that was held up may have sent the first already.
  if (Date.now() - heldAt < HOLD_MS) {
    const names = ['Withdraw', 'Amber Road', 'Delete']
    expect(held).toEqual(names.map((name) => expect.stringContaining(name)))
    expect(status).toBe('visible')
  }

  await page.close({ runBeforeUnload: true })
  await expect.poll(() => statusOf(commentId)).toBe('deleted')
  await expect.poll(storedList).toEqual([games[1]?.toHexString()])
  await expect.poll(async () => (await service.db.contentRequests.findOne({ _id }))?.status).toBe('withdrawn')
})

test.each([320, 1280])('nothing lies under the outbox at %i px, and the page stays where it was', async (width) => {
  for (let n = 0; n < 12; n += 1) await comment(`Comment ${n}`)
  const { page } = await openGame({ viewport: { width, height: 640 } })
  const target = own(page).nth(4).getByRole('button', { name: 'Delete' })
  // The first comment below the header keeps its place.
  await own(page)
    .nth(3)
    .evaluate(async (article) => {
      // A person sees the page scrolled before the next click.
      const scrolled = new Promise((resolve) =>
        article.ownerDocument.addEventListener('scroll', resolve, { capture: true, once: true }),
      )
      article.scrollIntoView({ block: 'start', behavior: 'instant' })
      await scrolled
    })
  const before = await own(page).nth(3).boundingBox()
  await target.dispatchEvent('click')
  await undo(page).waitFor()
  expect(await own(page).nth(3).boundingBox()).toEqual(before)

  const edge = (await outbox(page).boundingBox())?.y ?? 0
  const scrolled = await page.locator('.page').boundingBox()
  expect((scrolled?.y ?? 0) + (scrolled?.height ?? 0)).toBeLessThanOrEqual(edge)
  await page.mouse.wheel(0, 50_000)
  const last = page.getByRole('contentinfo')
  await expect
    .poll(async () => {
      const box = await last.boundingBox()
      return box !== null && Math.round(box.y + box.height) <= Math.round(edge)
    })
    .toBe(true)
})
