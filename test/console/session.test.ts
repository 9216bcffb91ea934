import type { Page, Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startConsole } from '../support/browser/start-console.ts'
import { POLL_OF_ENDED_SESSION, useConsole } from '../support/browser/use-console.ts'

const openConsole = useConsole()

const service = await startConsole()
afterAll(() => service.close())

const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })

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
  // It is not known to be a guest's.
  expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)

  await page.unroute('**/auth/session')
  while (!(await page.getByRole('button', { name: userName }).isVisible())) await page.clock.runFor(1_000)
  await page.getByText('No royal games yet.').waitFor()
  await notices(page).getByText(words).waitFor({ state: 'detached' })
  expect(await page.evaluate('window.isSamePage')).toBe(true)
})

test('a sign-in asks once whose session it is, and a later one reads what the end of it refused', async () => {
  const { page, context, expectProblem } = await openConsole(service)
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/session')) reads.push(request.url())
  })
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByRole('link', { name: 'Create an account' }).click()
  await dialog.getByRole('textbox', { name: 'User name' }).fill('once')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('once@example.com')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('long enough by far')
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'once' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My requests' }).click()
  await page.getByText('Nothing proposed yet.').waitFor()
  expect(reads.length).toBe(1)

  expectProblem(/401/)
  expectProblem(POLL_OF_ENDED_SESSION)
  await page.getByRole('link', { name: 'Discussions' }).click()
  // Whatever is asked for in the meantime would open the dialog over the link.
  for (const text of ['No requests yet.', 'No royal games yet.']) await page.getByText(text).waitFor()
  await context.clearCookies()
  await page.getByRole('link', { name: 'My requests' }).click()
  await dialog.getByText('Your session has ended').waitFor()
  await page.getByText('Sign in, then try again.').waitFor()
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('once@example.com')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('long enough by far')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Nothing proposed yet.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})
