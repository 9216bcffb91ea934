import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openSignIn, signIn, signOut } from '../support/browser/sign-in.ts'
import { startConsole } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { signUpDevice } from '../support/clients/device.ts'
import { insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()
let reader: Caller
let gameId: string

const service = await startConsole()
beforeEach(async () => {
  reader = await service.caller()
  gameId = (await insertGame(service.db, { name: 'Lantern Keep', summary: 'A keep.' })).toHexString()
})
afterAll(() => service.close())

const form = (page: Page) => page.getByRole('form', { name: 'Propose' })
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true })
const value = (page: Page, name: string) => expect.poll(() => field(page, name).inputValue())
const kind = (page: Page) => form(page).getByRole('combobox', { name: 'What do you propose?' })
const drafts = (page: Page) => page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))")
const openRequests = (query = '') => openConsole(service, { as: reader, address: `#/my-requests${query}` })

test('proposals are kept for each kind over a switch, a reload and another view, and go when they are discarded', async () => {
  const { page } = await openRequests()
  await field(page, 'Name').fill('Tide Gate')
  await form(page).getByText('Companies', { exact: true }).first().click()
  await form(page).getByRole('button', { name: 'Add company' }).click()
  await field(page, 'Company').fill('Wick')
  await field(page, 'Note').fill('Seen in a shop')
  await kind(page).selectOption({ label: 'A new character' })
  await value(page, 'Name').toBe('')
  await field(page, 'Name').fill('The keeper')
  await kind(page).selectOption({ label: 'A new game' })
  await value(page, 'Name').toBe('Tide Gate')
  await value(page, 'Company').toBe('Wick')
  await value(page, 'Note').toBe('Seen in a shop')
  await kind(page).selectOption({ label: 'A new character' })
  await page.reload()
  await value(page, 'Name').toBe('The keeper')
  await page.getByRole('link', { name: 'Royal games' }).click()
  await page.goBack()
  await value(page, 'Name').toBe('The keeper')
  await form(page).getByRole('button', { name: 'Discard' }).click()
  await value(page, 'Name').toBe('')
  await page.reload()
  await value(page, 'Name').toBe('')

  await kind(page).selectOption({ label: 'A new game' })
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('list', { name: 'My requests' }).getByText('New game: Tide Gate').waitFor()
  await value(page, 'Name').toBe('')
  expect(await drafts(page)).toEqual([])
})

test('corrections are kept for each game, and go with their author', async () => {
  const other = (await insertGame(service.db, { name: 'Tide Gate', summary: 'A gate.' })).toHexString()
  const { page } = await openRequests(`?propose=game-correction&target=${gameId}`)
  await value(page, 'Summary').toBe('A keep.')
  await field(page, 'Summary').fill('A keep of light.')
  await page.goto(`${service.baseUrl}/console#/my-requests?propose=game-correction&target=${other}`)
  await value(page, 'Summary').toBe('A gate.')
  await page.goto(`${service.baseUrl}/console#/my-requests?propose=game-correction&target=${gameId}`)
  await value(page, 'Summary').toBe('A keep of light.')
  await page.reload()
  await value(page, 'Summary').toBe('A keep of light.')
  expect(await drafts(page)).not.toEqual([])
  await signOut(page, reader.user?.userName)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => drafts(page)).toEqual([])
})

test('a reply outlives Escape, the keys of an input method and the end of its session', async () => {
  await reader.post('/comments', { body: { gameId, body: 'Who lit it?' } })
  const { userName, email, password } = await signUpDevice(service.guest)
  const { page, context, expectProblem } = await openConsole(service, { address: `#/games/${gameId}` })
  expectProblem(/401|socket\.io/)
  await openSignIn(page)
  await signIn(page, { email, password })
  const reply = page.getByRole('button', { name: 'Reply' })
  const text = page.getByRole('textbox', { name: 'Write a reply' })
  await reply.click()
  await text.fill('The keeper')
  const isComposing = { isComposing: true, bubbles: true, cancelable: true }
  await text.dispatchEvent('keydown', { key: 'Escape', ...isComposing })
  await text.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, ...isComposing })
  await text.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true, cancelable: true })
  expect(await text.inputValue()).toBe('The keeper')
  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  await reply.click()
  expect(await text.inputValue()).toBe('The keeper')

  await context.clearCookies()
  await page.getByRole('button', { name: 'Post reply' }).click()
  await signIn(page, { email, password })
  expect(await text.inputValue()).toBe('The keeper')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await page
    .getByRole('article', { name: `Comment by ${userName}` })
    .getByText('The keeper')
    .waitFor()
  expect(await drafts(page)).toEqual([])
})

test('a click beside a dialog closes it only while nothing is typed', async () => {
  const { page } = await openConsole(service)
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  const email = dialog.getByRole('textbox', { name: 'E-mail' })
  await openSignIn(page)
  await email.fill('reader@example.com')
  await page.mouse.click(5, 5)
  expect(await email.inputValue()).toBe('reader@example.com')
  await email.fill('')
  await page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'detached' })
})
