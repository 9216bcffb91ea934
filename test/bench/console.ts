import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { sharedBrowser } from '../support/browser/shared-browser.ts'
import { type Child, startChild } from './child.ts'
import { benchConsoleViews, openView, readUsableMs } from './console-views.ts'
import { measureByTurns } from './load.ts'
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
import { BUILD_STEPS } from './lib/ops/prepare/prepare-folder.mjs'
const times = {}
for (const [name, run] of Object.entries(BUILD_STEPS)) {
  const startedAt = performance.now()
  await run('dist')
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

/** The field of the search is there as well. */
const ACCOUNT = 'body:has(main input[type="search"]) .account button'

async function benchFirstView(server: Child): Promise<void> {
  const address = `http://127.0.0.1:${await server.ask('port')}/console`
  const openings = {
    async ms() {
      const context = await (await sharedBrowser()).newContext()
      const { page, usableMs: cold } = await openView(context, address, ACCOUNT)
      await page.reload()
      const warm = await readUsableMs(page)
      await context.close()
      return { cold, warm }
    },
  }
  const medianOf = await measureByTurns(openings, { rounds: OPENINGS })
  const [cold, warm] = [medianOf('ms', 'cold'), medianOf('ms', 'warm')]
  heading('The first view that can be used, on loopback, from the start of the navigation')
  line('a browser that has nothing of it', `${cold.toFixed(0)} ms`)
  line('a reload', `${warm.toFixed(0)} ms`)
  ratio('seconds of the first', cold / 1_000, { atMost: 1 })
}

export async function benchConsole(uri: string, db: Database, scene: Scene): Promise<void> {
  await benchBytes()
  await benchBuild()
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  await benchFirstView(server)
  await server.stop()
  await benchConsoleViews(uri, db, scene)
}
