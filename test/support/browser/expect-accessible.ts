import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { takeScreenshots } from './take-screenshots.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Expects no violation of WCAG 2.2 A and AA in the page, light and dark. Takes screenshots when a name is given. */
export async function expectAccessible(page: Page, name?: string): Promise<void> {
  // A script that is evaluated from outside needs no exception in the page's policy.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolation(page, TAGS)
  await page.emulateMedia({ colorScheme: 'dark' })
  // The scheme changes colours and nothing else.
  await expectNoViolation(page, ['color-contrast', 'link-in-text-block'])
  await page.emulateMedia({ colorScheme: null })
  if (name !== undefined) await takeScreenshots(page, name)
}

async function expectNoViolation(page: Page, runOnly: readonly string[]): Promise<void> {
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
  expect(found).toEqual([])
}
