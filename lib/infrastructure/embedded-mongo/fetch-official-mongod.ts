import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type EmbeddedLog, keepMongod, type Mongod } from './probe-mongod.ts'

export const OFFICIAL_VERSION = '8.2.6'

/**
 * Downloads the official build, one try.
 * @throws with a reason
 */
export async function fetchOfficialMongod({
  cacheDir,
  log,
  idleMs = 20_000,
}: {
  cacheDir: string
  log: EmbeddedLog
  idleMs?: number
}): Promise<Mongod> {
  log.info(`Downloading the official MongoDB ${OFFICIAL_VERSION}`)
  return await keepMongod(cacheDir, async (folder) => {
    // From the sources it runs as they do.
    const isBuilt = import.meta.url.endsWith('.js')
    const file = fileURLToPath(new URL(`./official-mongod-child.${isBuilt ? 'js' : 'ts'}`, import.meta.url))
    const child = fork(file, [OFFICIAL_VERSION, folder], {
      execArgv: isBuilt ? [] : ['--import', 'tsx'],
      silent: true,
    })
    let path: unknown
    let reason = ''
    child.on('message', (message) => {
      path = message
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      reason = text.trim().split('\n').at(-1) ?? ''
    })
    // It prints as bytes come.
    const timer = setTimeout(() => {
      reason = `no byte came for ${idleMs / 1_000} s`
      child.kill('SIGKILL')
    }, idleMs)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      timer.refresh()
      log.info(text.trim())
    })
    await once(child, 'close').finally(() => clearTimeout(timer))
    if (typeof path !== 'string') throw new Error(reason || 'the download left no binary')
    return path
  })
}
