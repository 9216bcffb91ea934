import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { expectFit, listDrafts, NARROW, untilLive } from '../support/browser/page-parts.ts'
import { signOut } from '../support/browser/sign-in.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertFoundGame, insertGame, insertRequest } from '../support/rows/rows.ts'

const openConsole = useConsole()
let reader: Caller

const service = await useConsoleService()
beforeEach(async () => {
  reader = await service.caller()
})

const form = (page: Page) => page.getByRole('form', { name: 'Propose' })
const list = (page: Page) => page.getByRole('list', { name: 'My requests' })
const openRequests = (address = '#/my-requests') => openConsole(service, { as: reader, address })
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true })
const expectValue = (page: Page, name: string) => expect.poll(() => field(page, name).inputValue())
const kindField = (page: Page) => form(page).getByRole('combobox', { name: 'What do you propose?' })
async function addCompany(page: Page, name: string): Promise<void> {
  await form(page).getByText('Companies', { exact: true }).first().click()
  await form(page).getByRole('button', { name: 'Add company' }).click()
  await field(page, 'Company').fill(name)
}
const newest = async () => (await reader.get('/requests/mine')).body.results[0]

test('the form proposes a game, shows it in the list, and withdraws it', async () => {
  const { page } = await openRequests()
  await field(page, 'Name').fill('Lantern Keep II')
  await form(page).getByRole('textbox', { name: 'Alternative names' }).fill('LK2\n\nLantern Keep 2')
  await form(page).getByLabel('First release').fill('2001-02-03')
  await form(page).getByRole('textbox', { name: 'Sources' }).fill('https://example.com/lantern')
  await addCompany(page, 'Wick & Sons')
  await form(page).getByRole('checkbox', { name: 'Developer' }).check()
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('New game: Lantern Keep II').waitFor()

  expect((await newest()).payload).toEqual({
    name: 'Lantern Keep II',
    alternative_names: ['LK2', 'Lantern Keep 2'],
    first_release: Date.UTC(2001, 1, 3) / 1000,
    companies: [{ name: 'Wick & Sons', developer: true }],
  })
  await list(page).getByRole('button', { name: 'Withdraw' }).click()
  await list(page).getByText('Withdrawn').waitFor()
})

test('a proposal whose answer was lost is sent again and stored once', async () => {
  const { page, expectProblem } = await openRequests()
  expectProblem(/ERR_CONNECTION_RESET/)
  await page.route('**/requests', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await field(page, 'Name').fill('Lantern Keep IV')
  await addCompany(page, 'Wick & Sons')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await form(page).getByText('The service cannot be reached').waitFor()
  await page.unroute('**/requests')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await expectValue(page, 'Name').toBe('')
  await list(page).getByText('New game: Lantern Keep IV').waitFor()
  expect((await reader.get('/requests/mine')).body.total).toBe(1)
  expect(await listDrafts(page)).toEqual([])
})

test('the form shows each refusal beside its field, and keeps what was typed', async () => {
  const { page, expectProblem } = await openRequests()
  expectProblem(/400 \(Bad Request\)/)
  await field(page, 'Name').fill('Lantern Keep III')
  await form(page).getByText('Source ids', { exact: true }).click()
  await form(page).getByRole('textbox', { name: 'VNDB id' }).fill('seventeen')
  await form(page).getByRole('textbox', { name: 'Sources' }).fill('not a link')
  await form(page).getByRole('button', { name: 'Propose' }).click()

  const vndb = form(page).getByRole('textbox', { name: 'VNDB id' })
  await form(page).getByText('A VNDB id looks like v17').first().waitFor()
  expect(await vndb.getAttribute('aria-invalid')).toBe('true')
  const refusalId = (await vndb.getAttribute('aria-describedby'))?.split(' ').at(-1)
  const refusal = page.locator(`[id="${refusalId}"]`)
  expect(await refusal.innerText()).toBe('A VNDB id looks like v17')
  expect(await form(page).getByText('Line 1: Use an http(s) link').count()).toBe(1)
  expect(await vndb.inputValue()).toBe('seventeen')
  await expectAccessible(page)

  // The first refused field gets the focus, also in a closed group.
  await form(page).getByText('Details', { exact: true }).click()
  await form(page).getByRole('button', { name: 'Add multiplayer mode' }).click()
  await field(page, 'Offline players').fill('many')
  await form(page).getByText('Source ids', { exact: true }).click()
  await vndb.waitFor({ state: 'hidden' })
  await page.setViewportSize(NARROW)
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await form(page).getByText('offlineMax must be a number').first().waitFor()
  await vndb.waitFor()
  await expect.poll(() => page.locator(':focus').getAttribute('aria-invalid')).toBe('true')
  await expectFit(page)
})

test('the form proposes a character of a game, with a preview of the picture', async () => {
  const name = 'Wick of the Keep'
  const gameId = await insertFoundGame(service.db, name)
  const { page, expectProblem } = await openRequests()
  expectProblem(/404/)
  await page.route('https://pictures.example/*', (route) =>
    route.request().url().endsWith('wick.svg')
      ? route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
      : route.fulfill({ status: 404 }),
  )
  await kindField(page).selectOption({ label: 'A new character' })
  await field(page, 'Name').fill('Wick')
  await form(page).getByRole('combobox', { name: 'Games' }).fill('wick')
  await form(page).getByRole('option', { name }).click()
  await form(page)
    .getByRole('button', { name: `Remove ${name}` })
    .waitFor()
  const link = form(page).getByRole('textbox', { name: 'Mug shot' })
  await link.fill('https://pictures.example/gone.svg')
  await form(page).getByText('No image could be loaded from https://pictures.example/gone.svg').waitFor()
  await link.fill('https://pictures.example/wick.svg')
  const preview = form(page).getByRole('img', { name: 'Preview of mug shot' })
  await preview.waitFor()
  expect(await preview.getAttribute('referrerpolicy')).toBe('no-referrer')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('New character: Wick').waitFor()

  const { kind, payload } = await newest()
  expect({ kind, payload }).toEqual({
    kind: 'character',
    payload: { name: 'Wick', gameIds: [gameId.toHexString()], mugShot: 'https://pictures.example/wick.svg' },
  })
})

test('the form corrects a game from its page, and sends only what was changed', async () => {
  const facts = { name: 'Lantern Keep', summary: 'A keep.', genres: ['Puzzle'], keywords: ['light'] }
  const gameId = await insertGame(service.db, facts)
  const { page } = await openRequests(`#/games/${gameId.toHexString()}`)
  await page.getByRole('link', { name: 'Suggest a correction' }).click()
  const summary = form(page).getByRole('textbox', { name: 'Summary' })
  await expect.poll(() => summary.inputValue()).toBe('A keep.')
  await summary.fill('A keep full of lanterns.')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('Correction of Lantern Keep').waitFor()

  const { action, targetId, payload } = await newest()
  expect({ action, targetId, payload }).toEqual({
    action: 'update',
    targetId: gameId.toHexString(),
    payload: { summary: 'A keep full of lanterns.' },
  })
})

test('the form takes a rejected request as a new form', async () => {
  const payload = { name: 'Lantern Keep IV', genres: ['Puzzle', 'Platform'] }
  const { body: sent } = await reader.post('/requests', { body: { kind: 'game', action: 'add', payload } })
  const admin = await service.caller({ isAdmin: true })
  await admin.post(`/requests/${sent._id}/decision`, { body: { decision: 'reject', reason: 'Not out yet' } })

  const { page } = await openRequests()
  await list(page).getByText('Not out yet').waitFor()
  await list(page).getByRole('button', { name: 'Use again' }).click()
  await expect.poll(() => form(page).getByRole('textbox', { name: 'Genres' }).inputValue()).toBe('Puzzle\nPlatform')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('Pending').waitFor()
  expect((await newest()).payload).toEqual(payload)
})

test('an answer that comes late is not shown over a later one', async () => {
  const { body: sent } = await reader.post('/requests', {
    body: { kind: 'game', action: 'add', payload: { name: 'Lantern Keep VI' } },
  })
  const { page } = await openRequests()
  const held: (() => void)[] = []
  await page.route('**/requests/mine?*', async (route) => {
    const answer = await route.fetch()
    if (held.length === 0) await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ response: answer }).catch(() => {})
  })
  await page.reload()
  await expect.poll(() => held.length).toBe(1)
  expect(sent.status).toBe('pending')
  // Sending the form reads the list again, while the first answer is still held.
  await field(page, 'Name').fill('Lantern Keep VII')
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('New game: Lantern Keep VII').waitFor()
  held[0]?.()
  await list(page).getByRole('button', { name: 'Withdraw' }).first().click()
  await list(page).getByText('Withdrawn').waitFor()
  expect(await list(page).getByText('New game: Lantern Keep VII').count()).toBe(1)
})

test('no part of the form violates WCAG', async () => {
  const { page } = await openRequests()
  await form(page).waitFor()
  await page.evaluate("for (const group of document.querySelectorAll('details')) group.open = true")
  for (const row of ['company', 'release date', 'multiplayer mode', 'age rating', 'external page']) {
    await form(page)
      .getByRole('button', { name: `Add ${row}` })
      .click()
  }
  await expectAccessible(page, 'my-requests')
})

test('the author sees the decision about a request within a second, without a reload', async () => {
  const userId = new ObjectId(reader.id)
  const { _id } = await insertRequest(service.db, { userId, payload: { name: 'Tide Gate', summary: 'A gate.' } })
  const admin = await service.caller({ isAdmin: true })
  const { page } = await openRequests()
  await list(page).getByText('Pending').waitFor()
  await untilLive(page)
  await page.evaluate("window.addEventListener('focus', (event) => event.stopImmediatePropagation(), true)")
  const decision = { decision: 'approve', fields: ['name'] }
  expect((await admin.post(`/requests/${_id}/decision`, { body: decision })).status).toBe(200)
  await list(page).getByText('Approved').waitFor()
  await list(page).getByText('Applied: Name').waitFor()
  await list(page).getByText('Not applied: Summary').waitFor()

  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: 'Your proposal of Tide Gate was approved: name; left out: summary' })
    .click()
  await list(page).locator('[aria-current=true]').getByText('New game: Tide Gate').waitFor()
})

test('drafts of proposals are kept for each kind over a switch, a reload and another view, and end when discarded', async () => {
  const { page } = await openRequests()
  await field(page, 'Name').fill('Tide Gate')
  await addCompany(page, 'Wick')
  await field(page, 'Note').fill('Seen in a shop')
  await kindField(page).selectOption({ label: 'A new character' })
  await expectValue(page, 'Name').toBe('')
  await field(page, 'Name').fill('The keeper')
  await kindField(page).selectOption({ label: 'A new game' })
  await expectValue(page, 'Name').toBe('Tide Gate')
  await expectValue(page, 'Company').toBe('Wick')
  await expectValue(page, 'Note').toBe('Seen in a shop')
  await kindField(page).selectOption({ label: 'A new character' })
  await page.reload()
  await expectValue(page, 'Name').toBe('The keeper')
  await page.getByRole('link', { name: 'Royal games' }).click()
  await page.goBack()
  await expectValue(page, 'Name').toBe('The keeper')
  await form(page).getByRole('button', { name: 'Discard' }).click()
  await expectValue(page, 'Name').toBe('')
  await page.reload()
  await expectValue(page, 'Name').toBe('')

  await kindField(page).selectOption({ label: 'A new game' })
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await list(page).getByText('New game: Tide Gate').waitFor()
  await expectValue(page, 'Name').toBe('')
  expect(await listDrafts(page)).toEqual([])
})

test('drafts of corrections are kept for each game, and end when their author signs out', async () => {
  const gameId = await insertGame(service.db, { name: 'Lantern Keep', summary: 'A keep.' })
  const other = await insertGame(service.db, { name: 'Tide Gate', summary: 'A gate.' })
  const { page } = await openRequests(`#/my-requests?propose=game-correction&target=${gameId}`)
  await expectValue(page, 'Summary').toBe('A keep.')
  await field(page, 'Summary').fill('A keep of light.')
  await page.goto(`${service.baseUrl}/console#/my-requests?propose=game-correction&target=${other}`)
  await expectValue(page, 'Summary').toBe('A gate.')
  await page.goto(`${service.baseUrl}/console#/my-requests?propose=game-correction&target=${gameId}`)
  await expectValue(page, 'Summary').toBe('A keep of light.')
  await page.reload()
  await expectValue(page, 'Summary').toBe('A keep of light.')
  expect(await listDrafts(page)).not.toEqual([])
  await signOut(page, reader.user?.userName)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => listDrafts(page)).toEqual([])
})

test('a link leads to its request on any page of the list, and the other pages can be opened', async () => {
  for (let n = 0; n < 45; n += 1) {
    await insertRequest(service.db, { userId: new ObjectId(reader.id), createdAt: new Date(2_000_000 - n * 1_000) })
  }
  const oldest = (await reader.get('/requests/mine?page=3')).body.results.at(-1)
  const { page } = await openRequests(`#/my-requests?request=${oldest._id}`)
  const linked = list(page).locator('[aria-current=true]')
  await linked.waitFor()
  const sightPx = page.viewportSize()?.height ?? 0
  await expect.poll(async () => (await linked.boundingBox())?.y).toBeLessThan(sightPx)

  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByText('Page 2 of 3').waitFor()
  await linked.waitFor({ state: 'detached' })
})
