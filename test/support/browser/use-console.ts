import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Caller } from '../clients/caller.ts'
import type { TestService } from '../service/start-service.ts'
import { sharedBrowser } from './shared-browser.ts'
import { toCookies } from './sign-in.ts'

interface OpenOptions extends BrowserContextOptions {
  /** Signed-in user; nobody by default. */
  as?: Caller
  /** The address of a view, such as `#/royal`. */
  address?: string
  /** True when the test may put the page's clock forward, which also goes on by itself. */
  hasClock?: boolean
}

/** The engine refuses a poll that is under way when its session ends, and has no other answer for that. */
export const POLL_OF_ENDED_SESSION = /400 \(Bad Request\).*\/socket\.io\/\?.*sid=/

const WATCH_POLICY = `addEventListener('securitypolicyviolation', (event) =>
  console.error('Policy violated: ' + event.violatedDirective + ' by ' + event.blockedURI))`

/**
 * The tabs of a test file. A script error, a console error and a violation of the page's policy fail the test that
 * opened the tab.
 */
export function useConsole() {
  const opened: { context: BrowserContext; problems: string[]; expected: RegExp[] }[] = []

  afterEach(async () => {
    const tabs = opened.splice(0)
    await Promise.all(tabs.map(({ context }) => context.close()))
    for (const { problems, expected } of tabs) {
      expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([])
    }
  })

  return async function openConsole(
    { baseUrl }: Pick<TestService, 'baseUrl'>,
    { as, address = '', hasClock = false, ...options }: OpenOptions = {},
  ) {
    const browser = await sharedBrowser()
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
    // Several tabs and a service share what a busy machine has.
    context.setDefaultTimeout(60_000)
    const tab = { context, problems: [] as string[], expected: [] as RegExp[] }
    opened.push(tab)
    await context.addInitScript(WATCH_POLICY)
    if (hasClock) await context.clock.install()
    if (as !== undefined) await context.addCookies(toCookies(as, baseUrl))
    context.on('weberror', (error) => tab.problems.push(error.error().message))
    context.on('console', (message) => {
      if (message.type() === 'error') tab.problems.push(`${message.text()} ${message.location().url}`)
    })
    const page = await context.newPage()
    await page.goto(`${baseUrl}/console${address}`)

    /** The browser writes an error for each answer above 399, and for each cut request: a test names those it causes. */
    const expectProblem = (pattern: RegExp) => void tab.expected.push(pattern)
    return { page, context, expectProblem }
  }
}
