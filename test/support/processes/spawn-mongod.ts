import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readConfig, readEnvironment } from '../../../lib/config.ts'
import { findMongod } from '../../../lib/embedded-mongo/find-mongod.ts'
import type { Mongod } from '../../../lib/embedded-mongo/probe-mongod.ts'
import { REPLICA_SET } from '../../../lib/embedded-mongo/run-mongod.ts'

/** The oplog, which change streams and other members read. It is shortened up to the last checkpoint. */
export interface MongodHistory {
  oplogMb?: number
  checkpointSeconds?: number
}

interface MongodSettings extends MongodHistory {
  dbPath: string
  port: number
  logPath: string
}

/** The mongod that an embedded database would run. */
export async function findTestMongod(): Promise<Mongod> {
  const log = { info: () => {}, warn: console.warn }
  return await findMongod({ ...readConfig(readEnvironment()), dataDir: '', log })
}

/** Starts a mongod that nothing watches over. */
export function spawnMongod(
  binary: string,
  { dbPath, port, logPath, oplogMb = 256, checkpointSeconds = 60 }: MongodSettings,
): { pid: number | undefined; kill(signal: NodeJS.Signals): void; ended: Promise<unknown> } {
  const args = [
    ...['--replSet', REPLICA_SET, '--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1'],
    ...['--nounixsocket', '--quiet', '--wiredTigerCacheSizeGB', '0.5', '--oplogSize', String(oplogMb)],
    ...['--syncdelay', String(checkpointSeconds), '--setParameter', 'transactionLifetimeLimitSeconds=3'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ]
  const log = openSync(logPath, 'a')
  const child = spawn(binary, args, { detached: true, stdio: ['ignore', log, log] })
  return { pid: child.pid, kill: (signal) => void child.kill(signal), ended: once(child, 'exit') }
}
