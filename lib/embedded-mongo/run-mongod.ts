import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'
import { StartError } from '../errors.ts'
import type { EmbeddedLog } from './embedded-options.ts'
import { type MongodProcess, type MongodSettings, rotateLog, spawnMongod } from './mongod-process.ts'
import { connectPrimary } from './replica-set.ts'

const START_LIMIT_MS = 120_000
const STILL_STARTING_MS = 5_000
const STOP_LIMIT_MS = 6_000
const LOG_CHECK_MS = 60_000
const PAUSES_MS = [100, 500, 1_000, 2_000, 5_000]
/** A mongod that lived this long starts the pauses over. */
const STABLE_MS = 30_000

/** Keeps a mongod running until it is stopped: one that dies is started again on the same port. */
export interface MongodRunner {
  stop(): Promise<void>
}

/**
 * Starts a mongod, waits until it accepts writes, lets `prepare` work on it, and watches over it from then on.
 * @throws StartError when it cannot be started
 */
export async function runMongod(
  settings: MongodSettings,
  log: EmbeddedLog,
  prepare: (client: MongoClient) => Promise<void>,
): Promise<MongodRunner> {
  await rotateLog(settings.logPath)
  let mongod = spawnMongod(settings)
  const stopping = new AbortController()

  // Without it an uncaught error of the service would leave its mongod behind.
  const endWithService = () => mongod.kill('SIGTERM')
  process.once('exit', endWithService)
  const rotation = setInterval(() => void rotateLog(settings.logPath, mongod).catch(() => {}), LOG_CHECK_MS)
  rotation.unref()
  const letGo = () => {
    clearInterval(rotation)
    process.off('exit', endWithService)
  }

  try {
    const client = await awaitPrimary(mongod, settings, log)
    await prepare(client).finally(() => client.close())
  } catch (error) {
    await end(mongod)
    letGo()
    throw error instanceof StartError ? error : new StartError(`The embedded MongoDB could not be prepared: ${error}`)
  }

  const watch = async () => {
    let failures = 0
    for (;;) {
      const startedAt = performance.now()
      const reason = await mongod.ended
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > STABLE_MS) failures = 0
      log.warn(`The embedded MongoDB ended (${reason}); starting it again`)

      const pause = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return
      try {
        mongod = spawnMongod(settings)
        void announce(mongod)
      } catch (error) {
        log.warn(`The embedded MongoDB cannot be started now: ${error}`)
      }
    }
  }
  const announce = async (started: MongodProcess) => {
    const client = await connectPrimary(settings, started.signal).catch(() => undefined)
    if (client === undefined) return
    await client.close()
    log.info('The embedded MongoDB is back')
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      await end(mongod)
      await watching
      letGo()
    },
  }
}

async function awaitPrimary(mongod: MongodProcess, settings: MongodSettings, log: EmbeddedLog): Promise<MongoClient> {
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000)
  const progress = setInterval(() => log.info(`Waiting for the embedded MongoDB (${seconds()} s)`), STILL_STARTING_MS)
  const limit = AbortSignal.timeout(START_LIMIT_MS)
  try {
    return await connectPrimary(settings, AbortSignal.any([mongod.signal, limit]))
  } catch {
    const reason = limit.aborted ? `not ready after ${seconds()} s` : await mongod.ended
    throw new StartError(`The embedded MongoDB could not be started (${reason}); its log is ${settings.logPath}`)
  } finally {
    clearInterval(progress)
  }
}

async function end(mongod: MongodProcess): Promise<void> {
  if (mongod.signal.aborted) return
  const killTimer = setTimeout(() => mongod.kill('SIGKILL'), STOP_LIMIT_MS)
  const isGone = once(mongod.signal, 'abort')
  mongod.kill('SIGTERM')
  await isGone
  clearTimeout(killTimer)
}
