import { readFile } from 'node:fs/promises'
import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { offerFirstAdmin } from '#lib/domain/auth/admin-role'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { mainLink } from '../support/browser/page-parts.ts'
import { newAccount, openSignIn, PASSWORD, signIn } from '../support/browser/sign-in.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { POLL_OF_ENDED_SESSION, useConsole } from '../support/browser/use-console.ts'
import { createDevice } from '../support/clients/device.ts'

const openConsole = useConsole()
const service = await useConsoleService()

async function openAs(userName: string) {
  const tab = await openConsole(service)
  const account = newAccount(userName)
  await openSignIn(tab.page)
  await signIn(tab.page, account)
  const stored = await service.db.users.findOne({ userName })
  return { ...tab, account, id: String(stored?._id) }
}

test('the account dialog ends sessions, changes the profile, exports the data and deletes the account', async () => {
  const { page, account, id, expectProblem } = await openAs('leaver')
  expectProblem(/400 \(Bad Request\).*\/user\//)
  expectProblem(/401/)
  expectProblem(POLL_OF_ENDED_SESSION)
  const other = createDevice(service.guest)
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0' }
  await other.post('/auth/login', { body: { email: account.email, password: PASSWORD }, headers })
  await page.getByRole('banner').getByRole('button', { name: 'leaver' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Account' })
  const rows = dialog.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await rows.filter({ hasText: 'This device' }).filter({ hasText: / on / }).waitFor()
  await expectAccessible(page, 'account')

  await dialog.getByRole('button', { name: 'End the session of Firefox on Windows' }).click()
  await rows.filter({ hasText: 'Firefox' }).waitFor({ state: 'detached' })
  expect((await other.get('/auth/session')).status).toBe(401)

  await dialog.getByRole('textbox', { name: 'Description' }).fill('Plays old games')
  await dialog.getByRole('button', { name: 'Save the profile' }).click()
  await page.getByText('The profile is saved').waitFor()
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export my data' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('gamehall-account.json')
  const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(exported.profile).toMatchObject({ _id: id, email: account.email, description: 'Plays old games' })

  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await dialog.getByText('The current password is wrong').first().waitFor()
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('Your account is deleted').waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  expect(await service.db.users.countDocuments({ _id: new ObjectId(id) })).toBe(0)
})

test('a click beside a dialog closes it unless a text in it has changed, also a prefilled one of two lines', async () => {
  const reader = await service.caller({ userName: 'liner' })
  await reader.patch(`/user/${reader.id}`, { body: { description: 'Plays old games\r\non two lines' } })
  const { page } = await openConsole(service, { as: reader })
  const dialog = page.getByRole('dialog', { name: 'Account' })
  const description = dialog.getByRole('textbox', { name: 'Description' })
  await page.getByRole('banner').getByRole('button', { name: 'liner' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await description.fill('Plays new games')
  await page.mouse.click(5, 5)
  expect(await description.inputValue()).toBe('Plays new games')
  await description.fill('Plays old games\non two lines')
  await page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'detached' })
})

test('a reset link made by an admin sets a new password; its token leaves the address at once', async () => {
  const admin = await service.caller({ isAdmin: true, userName: 'keeper' })
  const forgetful = newAccount('forgetful')
  const { body } = await service.guest.post('/auth/signup', { body: forgetful })
  const { page } = await openConsole(service, { as: admin, address: `#/users/${body.userId}` })
  await page.getByRole('button', { name: 'Make a reset link' }).click()
  const url = (await page.getByRole('region', { name: 'Reset link' }).getByRole('code').textContent()) ?? ''
  await expectAccessible(page)

  // The end of a sentence may stand behind the address.
  const reader = await openConsole(service, { address: `${new URL(url).hash}.` })
  await reader.page.getByRole('heading', { name: 'New password' }).waitFor()
  expect(reader.page.url()).toMatch(/#\/reset$/)
  await expectAccessible(reader.page)
  await reader.page.getByRole('textbox', { name: 'New password' }).fill('a password of its own')
  await reader.page.getByRole('button', { name: 'Set the password' }).click()
  await signIn(reader.page, { email: forgetful.email, password: 'a password of its own' })
  await reader.page.getByRole('banner').getByRole('button', { name: 'forgetful' }).waitFor()
  await reader.page.goBack()
  expect(reader.page.url()).not.toContain(url.split('/').at(-1))
})

test('the address of the first admin waits for the sign-in, and leaves no token', async () => {
  await service.db.users.updateMany({}, { $set: { roles: ['user'] } })
  const token = await offerFirstAdmin(service.db)
  const { page } = await openConsole(service, { address: `#/first-admin/${token}` })
  await page.getByRole('button', { name: 'Go on with an account' }).waitFor()
  expect(page.url()).toMatch(/#\/first-admin$/)
  await page.reload()
  await page.getByRole('button', { name: 'Go on with an account' }).click()
  await signIn(page, newAccount('founder'))

  await page.getByText('You are an admin now').waitFor()
  await mainLink(page, 'Operations').waitFor()
  expect(await service.db.users.findOne({ userName: 'founder' })).toMatchObject({ roles: ['user', 'admin'] })
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(token)
})
