import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { startConsole } from '../support/browser/start-console.ts'
import { takeScreenshots } from '../support/browser/take-screenshots.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { TestService } from '../support/service/start-service.ts'

const openConsole = useConsole()
let service: TestService

beforeAll(async () => {
  service = await startConsole()
})
afterAll(() => service.close())

describe('a guest', () => {
  test('gets in by the way of /, and finds discussions first', async () => {
    const { page } = await openConsole(service)
    await page.goto(service.baseUrl)
    await page.getByRole('heading', { name: 'Discussions' }).waitFor()

    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/console#/discussions')
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor()
    await expectAccessible(page)
    await takeScreenshots(page, 'frame')
  })

  test('creates an account, signs out and in again', async () => {
    const { page, expectProblem } = await openConsole(service)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'Create an account' }).click()
    await dialog.getByRole('textbox', { name: 'User name' }).fill('newcomer')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('newcomer@example.com')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('short')
    expectProblem(/400 \(Bad Request\)/)
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByRole('alert').getByText('A password has 8 to 200 characters').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill('long enough by far')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'newcomer' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('newcomer@example.com')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('long enough by far')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'newcomer' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  })
})
