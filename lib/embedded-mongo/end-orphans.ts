import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import type { EmbeddedLog } from './embedded-options.ts'
import { dbPathArguments } from './mongod-process.ts'
import { findStartToken, listProcesses } from './process-identity.ts'

const ORPHAN_END_TIMEOUT_MS = 5_000

/**
 * Ends a mongod that a killed service left running on these data; the journal keeps what was acknowledged. It is known by its
 * command line, so nobody else's is touched. For the holder of the data folder only.
 * @throws StartError when it cannot be ended
 */
export async function endOrphans(dbPath: string, log: EmbeddedLog): Promise<void> {
  const mark = ` ${dbPathArguments(dbPath).join(' ')} `
  for (const { pid, commandLine } of await listProcesses()) {
    if (commandLine.includes(mark)) await endOrphan(pid, log)
  }
}

async function endOrphan(pid: number, log: EmbeddedLog): Promise<void> {
  const token = await findStartToken(pid)
  if (token === undefined) return
  log.info(`Ending the MongoDB (process ${pid}) that a killed service left behind`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already, or not ours to end: the wait below tells which.
  }
  for (let waited = 0; waited < ORPHAN_END_TIMEOUT_MS; waited += 10) {
    if ((await findStartToken(pid)) !== token) return
    await sleep(10)
  }
  throw new StartError(
    `The MongoDB (process ${pid}) that a killed service left behind cannot be ended: end it by hand.`,
  )
}
