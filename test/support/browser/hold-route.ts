import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createGate } from '../tools/gate.ts'

/** Holds the answers to the requests of an address until `release`; `isHeld` waits for the first. */
export async function holdRoute(page: Page, url: string | RegExp) {
  let count = 0
  const { opened, open: release } = createGate()
  await page.route(url, async (route) => {
    const response = await route.fetch().catch(() => undefined)
    // The page was closed meanwhile.
    if (response === undefined) return
    count += 1
    await opened
    await route.fulfill({ response }).catch(() => {})
  })
  return { release, isHeld: () => expect.poll(() => count).toBeGreaterThan(0) }
}
