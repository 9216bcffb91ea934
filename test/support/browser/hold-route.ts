import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Holds the answers to the requests of an address until `release`; `isHeld` waits for the first. */
export async function holdRoute(page: Page, url: string | RegExp) {
  let count = 0
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    const response = await route.fetch().catch(() => undefined)
    // The page was closed meanwhile.
    if (response === undefined) return
    count += 1
    await isReleased
    await route.fulfill({ response }).catch(() => {})
  })
  return { release, isHeld: () => expect.poll(() => count).toBeGreaterThan(0) }
}
