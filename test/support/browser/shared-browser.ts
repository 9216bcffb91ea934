import { type Browser, chromium } from 'playwright-core'
import { provideChromium } from './provide-chromium.ts'

let launching: Promise<Browser> | undefined

async function launch(): Promise<Browser> {
  const { program, environment } = await provideChromium()
  return await chromium.launch({
    executablePath: program,
    env: environment,
    args: [
      // A container has neither a kernel that lets the browser build its sandbox nor much shared memory.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--font-render-hinting=none',
      // The tabs of a context share one process, and no process starts before its tab.
      '--renderer-process-limit=1',
    ],
  })
}

/** The next test starts another browser after a crash, or after a failed start. */
function forget() {
  launching = undefined
}

/** Browser of all test files of this process; it ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launching ??= launch().then(
    (browser) => browser.once('disconnected', forget),
    (error) => {
      forget()
      throw error
    },
  )
  return launching
}
