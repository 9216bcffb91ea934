import type { Page } from 'playwright-core'
import type { Caller } from '../clients/caller.ts'

interface Account {
  email: string
  password: string
  userName?: string
}

export const PASSWORD = 'long enough by far'
export const newAccount = (userName: string) => ({ userName, email: `${userName}@example.com`, password: PASSWORD })

/** Converts the cookies of a caller for a browser. */
export const toCookies = ({ cookie }: Pick<Caller, 'cookie'>, url: string) =>
  cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return { name, value, url }
  })

export const openSignIn = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()

export async function signIn(page: Page, { email, password, userName }: Account): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  if (userName !== undefined) {
    await dialog.getByRole('link', { name: 'Create an account' }).click()
    await dialog.getByRole('textbox', { name: 'User name' }).fill(userName)
  }
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: userName === undefined ? 'Sign in' : 'Create account' }).click()
  await dialog.waitFor({ state: 'detached' })
}

export async function signOut(page: Page, userName = ''): Promise<void> {
  await page.getByRole('button', { name: userName }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
