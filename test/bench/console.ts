import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Database } from '../../lib/db/connect.ts'
import { sharedBrowser } from '../support/browser/shared-browser.ts'
import { type Child, startChild } from './child.ts'
import { benchConsoleViews } from './console-views.ts'
import { median } from './load.ts'
import { heading, kilobytes, line, ratio } from './report.ts'
import type { Scene } from './scene.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OPENINGS = 9

const gzipped = (text: string) => gzipSync(text).length
const KB = 1024

/** The client as an SPA bundles it: zod and socket.io-client are its peers. */
async function measureClient(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'dist/client-package/lib/client/index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['socket.io-client', 'zod'],
    write: false,
  })
  return gzipped(outputFiles.map(({ text }) => text).join(''))
}

async function benchBytes(): Promise<void> {
  heading('JavaScript of the client, gzipped')
  const client = await measureClient()
  line('the client in an SPA, without socket.io-client', kilobytes(client))
  ratio('its KB', client / KB, { atMost: 12 })
}

const TIME_STEPS = `
import { BUILD_STEPS } from './lib/ops/prepare/build-steps.mjs'
const times = {}
for (const { name, run } of BUILD_STEPS) {
  const startedAt = performance.now()
  await run()
  times[name] = performance.now() - startedAt
}
console.log(JSON.stringify(times))`

async function benchBuild(): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', TIME_STEPS], {
    cwd: ROOT,
  })
  const times: Record<string, number> = JSON.parse(stdout.slice(stdout.lastIndexOf('{')))
  const { service = 0, client = 0, console: page = 0 } = times
  heading('The build that a changed source costs npm start')
  for (const [name, ms] of Object.entries(times)) line(name, `${(ms / 1_000).toFixed(2)} s`)
  ratio('with client and console / the service alone', (service + client + page) / service, { atMost: 2 })
}

/** Notes when the page's first view can be used, by the page's own clock. */
const WATCH_FIRST_VIEW = `{
  const watcher = new MutationObserver(() => {
    const field = document.querySelector('main input[type="search"]')
    const account = document.querySelector('.account button')
    if (field === null || account === null) return
    watcher.disconnect()
    requestAnimationFrame(() => { document.documentElement.dataset.firstView = performance.now() })
  })
  watcher.observe(document, { childList: true, subtree: true })
}`

async function openPage(baseUrl: string): Promise<{ cold: number; warm: number }> {
  const context = await (await sharedBrowser()).newContext()
  await context.addInitScript(WATCH_FIRST_VIEW)
  const page = await context.newPage()
  const read = async () => {
    const html = page.locator('html[data-first-view]')
    return Number(await html.getAttribute('data-first-view'))
  }
  await page.goto(`${baseUrl}/console`)
  const cold = await read()
  await page.reload()
  const warm = await read()
  await context.close()
  return { cold, warm }
}

async function benchFirstView(server: Child): Promise<void> {
  const baseUrl = `http://127.0.0.1:${await server.ask('port')}`
  const openings = []
  for (let count = -1; count < OPENINGS; count += 1) {
    const opening = await openPage(baseUrl)
    if (count >= 0) openings.push(opening)
  }
  const cold = median(openings.map((opening) => opening.cold))
  const warm = median(openings.map((opening) => opening.warm))
  heading('The first view that can be used, on loopback, from the start of the navigation')
  line('a browser that has nothing of it', `${cold.toFixed(0)} ms`)
  line('a reload', `${warm.toFixed(0)} ms`)
  ratio('seconds of the first', cold / 1_000, { atMost: 1 })
}

/** What the client and the console cost a browser, and the build. */
export async function benchConsole(uri: string, db: Database, scene: Scene): Promise<void> {
  await benchBytes()
  await benchBuild()
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  await benchFirstView(server)
  await server.stop()
  await benchConsoleViews(uri, db, scene)
}
