import type { BrowserContext, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, mainLink, notices, postButton } from '../support/browser/page-parts.ts'
import { newAccount, openSignIn, PASSWORD, signIn, signOut } from '../support/browser/sign-in.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { POLL_OF_ENDED_SESSION, useConsole } from '../support/browser/use-console.ts'
import { insertGame } from '../support/rows/rows.ts'

const TABS = 5
const openConsole = useConsole()

const service = await useConsoleService()

test.each([
  ['refused with 503', 'Service Unavailable', (route: Route) => route.fulfill({ status: 503, body: '' })],
  ['cut', 'The service cannot be reached', (route: Route) => route.abort('connectionreset')],
])('a session whose read is %s as the page opens is read again', async (_, words, refuse) => {
  const reader = await service.caller()
  const userName = reader.user?.userName ?? ''
  const { page, expectProblem } = await openConsole(service, { as: reader, address: '#/royal', hasClock: true })
  expectProblem(/503|ERR_CONNECTION_RESET/)
  await page.getByRole('button', { name: userName }).waitFor()
  let reads = 0
  await page.route('**/auth/session', (route) => {
    reads += 1
    return refuse(route)
  })
  await page.reload()
  await page.evaluate('window.isSamePage = true')
  await notices(page).getByText(words).waitFor()
  while (reads < 3) await page.clock.runFor(1_000)
  // The user may be signed in, so there is no button `Sign in`.
  expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)

  await page.unroute('**/auth/session')
  while (!(await page.getByRole('button', { name: userName }).isVisible())) await page.clock.runFor(1_000)
  await page.getByText('No royal games yet.').waitFor()
  await notices(page).getByText(words).waitFor({ state: 'detached' })
  expect(await page.evaluate('window.isSamePage')).toBe(true)
})

test('a sign-in reads the session once, and a later one reads the refused views again', async () => {
  const { page, context, expectProblem } = await openConsole(service)
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/session')) reads.push(request.url())
  })
  await openSignIn(page)
  await signIn(page, newAccount('once'))
  await page.getByRole('button', { name: 'once' }).waitFor()
  await mainLink(page, 'My requests').click()
  await page.getByText('No requests yet.').waitFor()
  expect(reads.length).toBe(1)

  expectProblem(/401/)
  expectProblem(POLL_OF_ENDED_SESSION)
  await page.getByRole('link', { name: 'Discussions' }).click()
  for (const text of ['No requests yet.', 'No royal games yet.']) await page.getByText(text).waitFor()
  await context.clearCookies()
  // A poll may have opened the dialog over the link already.
  await page.getByRole('link', { name: 'My requests' }).dispatchEvent('click')
  await page.getByText('Your session has ended').waitFor()
  await page.getByText('Sign in, then try again.').waitFor()
  await signIn(page, { email: 'once@example.com', password: PASSWORD })
  await page.getByText('No requests yet.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.baseUrl}/console${address}`)
  return page
}

test('five tabs whose access cookie has gone refresh once', async () => {
  const { page: first, context, expectProblem } = await openConsole(service, { address: '#/royal' })
  await openSignIn(first)
  await signIn(first, newAccount('collector'))
  expectProblem(/401/)
  const others = await Promise.all(Array.from({ length: TABS - 1 }, () => openTab(context, '#/royal')))
  const tabs = [first, ...others]
  for (const tab of tabs) await tab.getByText('No royal games yet.').waitFor()
  const refreshes: number[] = []
  let refusals = 0
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/refresh-token')) refreshes.push(response.status())
    else if (response.status() === 401) refusals += 1
  })

  // A quick tab would refresh before the others are refused.
  await context.route('**/auth/refresh-token', async (route) => {
    await expect.poll(() => refusals).toBeGreaterThanOrEqual(2)
    await route.continue()
  })
  await context.clearCookies({ name: 'accessSessionToken' })
  await Promise.all(tabs.map((tab) => tab.evaluate("location.hash = '#/my-requests'")))
  for (const tab of tabs) await tab.getByText('No requests yet.').waitFor()

  expect(refusals).toBeGreaterThanOrEqual(2)
  expect(refreshes).toEqual([200])
  for (const tab of tabs) expect(await tab.getByRole('dialog').count()).toBe(0)
})

test('a tab learns who signed in and out in another, and keeps what was typed', async () => {
  const gameId = (await insertGame(service.db, { name: 'Lantern Keep' })).toHexString()
  const { page: guest, context, expectProblem } = await openConsole(service, { address: `#/games/${gameId}` })
  expectProblem(/401/)
  expectProblem(POLL_OF_ENDED_SESSION)
  const field = composer(guest)
  await field.fill('Half a thought')
  const other = await openTab(context, '')
  await openSignIn(other)
  await signIn(other, newAccount('switcher'))
  await guest.getByRole('button', { name: 'switcher' }).waitFor()

  await signOut(other, 'switcher')
  await guest.getByRole('dialog', { name: 'Sign in' }).getByText('Your session has ended').waitFor()
  expect(await field.inputValue()).toBe('Half a thought')

  await openSignIn(other)
  await signIn(other, { email: 'switcher@example.com', password: PASSWORD })
  await guest.getByRole('button', { name: 'switcher' }).waitFor()
  await guest.getByRole('dialog').waitFor({ state: 'detached' })
  await postButton(guest).click()
  await guest.getByRole('article', { name: 'Comment by switcher' }).getByText('Half a thought').waitFor()
})

test('where sign-up is closed, the dialog of the sign-in offers no account', async () => {
  const { page } = await openConsole(await useConsoleService({ env: { SIGN_UP: 'closed' } }))
  await openSignIn(page)
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await dialog.getByRole('link').count()).toBe(0)
})
