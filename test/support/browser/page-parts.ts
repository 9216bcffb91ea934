import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The time in which the outbox holds an action before it sends it. */
export const HOLD_MS = 6_000
export const NARROW = { width: 320, height: 640 }

export const outbox = (page: Page) => page.getByRole('region', { name: 'Outbox' })
export const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })
export const connection = (page: Page) => page.getByRole('status', { name: 'Connection' })
export const composer = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })
export const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
export const commentBy = (page: Page, userName: string) => page.getByRole('article', { name: `Comment by ${userName}` })
export const mainLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

export async function writeComment(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await postButton(page).click()
}

export const untilLive = (page: Page) => connection(page).getByText('Live').waitFor()

export const listDrafts = (page: Page): Promise<string[]> =>
  page.evaluate("Object.keys(localStorage).filter((key) => key.includes('draft'))")

export const expectFit = async (page: Page, address?: string) =>
  expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBeLessThanOrEqual(NARROW.width)
