import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = join(tmpdir(), 'gamehall-screenshots')
const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } }

/** Pictures of a view for people to look at: dark and light, wide and 320 px. Answers their folder. */
export async function takeScreenshots(page: Page, name: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${size}.png`), fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: null })
  return FOLDER
}
