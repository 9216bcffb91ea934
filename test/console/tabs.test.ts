import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startConsole } from '../support/browser/start-console.ts'
import { POLL_OF_ENDED_SESSION, useConsole } from '../support/browser/use-console.ts'
import { insertGame } from '../support/rows/rows.ts'

const TABS = 5
const PASSWORD = 'long enough by far'
const openConsole = useConsole()

const service = await startConsole()
afterAll(() => service.close())

async function signUp(page: Page, userName: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByRole('link', { name: 'Create an account' }).click()
  await dialog.getByRole('textbox', { name: 'User name' }).fill(userName)
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(`${userName}@example.com`)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: userName }).waitFor()
}

async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.baseUrl}/console${address}`)
  return page
}

test('five tabs whose access cookie has gone refresh once', async () => {
  const { page: first, context, expectProblem } = await openConsole(service, { address: '#/royal' })
  await signUp(first, 'collector')
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

  // One that is quick would refresh before the others have asked.
  await context.route('**/auth/refresh-token', async (route) => {
    await expect.poll(() => refusals).toBeGreaterThanOrEqual(2)
    await route.continue()
  })
  await context.clearCookies({ name: 'accessSessionToken' })
  await Promise.all(tabs.map((tab) => tab.evaluate("location.hash = '#/my-requests'")))
  for (const tab of tabs) await tab.getByText('Nothing proposed yet.').waitFor()

  expect(refusals).toBeGreaterThanOrEqual(2)
  expect(refreshes).toEqual([200])
  for (const tab of tabs) expect(await tab.getByRole('dialog').count()).toBe(0)
})

test('a tab learns who signed in and out in another, and keeps what was typed', async () => {
  const gameId = (await insertGame(service.db, { name: 'Lantern Keep' })).toHexString()
  const { page: guest, context, expectProblem } = await openConsole(service, { address: `#/games/${gameId}` })
  expectProblem(/401/)
  expectProblem(POLL_OF_ENDED_SESSION)
  const field = guest.getByRole('textbox', { name: 'Write a comment' })
  await field.fill('Half a thought')
  const other = await openTab(context, '')
  await signUp(other, 'switcher')
  const dialog = other.getByRole('dialog', { name: 'Sign in' })
  await guest.getByRole('button', { name: 'switcher' }).waitFor()

  await other.getByRole('button', { name: 'switcher' }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await guest.getByRole('dialog', { name: 'Sign in' }).getByText('Your session has ended').waitFor()
  expect(await field.inputValue()).toBe('Half a thought')

  await dialog.waitFor({ state: 'detached' })
  await other.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('switcher@example.com')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await guest.getByRole('button', { name: 'switcher' }).waitFor()
  await guest.getByRole('dialog').waitFor({ state: 'detached' })
  await guest.getByRole('button', { name: 'Post', exact: true }).click()
  await guest.getByRole('article', { name: 'Comment by switcher' }).getByText('Half a thought').waitFor()
})
