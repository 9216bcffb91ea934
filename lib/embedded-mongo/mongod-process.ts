import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, openSync, statSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../values/parse-json.ts'

export const REPLICA_SET = 'gamehall'

export interface MongodSettings {
  binary: string
  dbPath: string
  port: number
  logPath: string
  history?: MongodHistory
}

/** The oplog, which change streams and other members read. It is shortened up to the last checkpoint. */
export interface MongodHistory {
  oplogMb: number
  checkpointSeconds: number
}

const USUAL_HISTORY: MongodHistory = { oplogMb: 256, checkpointSeconds: 60 }

export interface MongodProcess {
  pid: number | undefined
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has ended, with the reason as far as its log tells. */
  ended: Promise<string>
  /** Aborted when it has ended. */
  signal: AbortSignal
}

/** Arguments that identify a mongod in the list of processes. */
export const dbPathArguments = (dbPath: string) => ['--replSet', REPLICA_SET, '--dbpath', dbPath]

function toArguments({ dbPath, port, logPath, history = USUAL_HISTORY }: MongodSettings): string[] {
  return [
    ...dbPathArguments(dbPath),
    ...['--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--logpath', logPath, '--logappend', '--logRotate', 'reopen', '--quiet', '--slowms', '1000'],
    ...['--wiredTigerCacheSizeGB', '0.5', '--oplogSize', String(history.oplogMb)],
    ...['--syncdelay', String(history.checkpointSeconds)],
    // A journal in small files: each start reads the last one to its end, 0.3 s for the usual 100 MB.
    '--wiredTigerEngineConfigString',
    'log=(enabled=true,remove=true,path=journal,compressor=snappy,file_max=16MB)',
    ...['--setParameter', 'transactionLifetimeLimitSeconds=3'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ]
}

/**
 * Starts a mongod in a process group of its own, so that Ctrl-C in a terminal reaches only the service, which then
 * stops it.
 */
export function spawnMongod(settings: MongodSettings): MongodProcess {
  const { binary, logPath } = settings
  const logFile = openSync(logPath, 'a')
  const logStart = statSync(logPath).size
  const child = spawn(binary, toArguments(settings), { detached: true, stdio: ['ignore', logFile, logFile] })
  closeSync(logFile)
  child.unref()

  const aborter = new AbortController()
  EventEmitter.setMaxListeners(0, aborter.signal)
  const ended = once(child, 'exit').then(
    async ([code, signal]) => `${signal ?? `exit code ${code}`}${await readComplaint(logPath, logStart)}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  child.once('exit', () => aborter.abort())
  child.once('error', () => aborter.abort())
  return { pid: child.pid, kill: (signal) => void child.kill(signal), ended, signal: aborter.signal }
}

const TAIL_BYTES = 262_144

const LogLine = z.object({
  s: z.enum(['F', 'E']),
  msg: z.string(),
  attr: z.object({ error: z.unknown() }).partial().optional(),
})

/** The reason of a mongod's end from its log: a fatal error, else its last error, else the loader's message. */
async function readComplaint(logPath: string, from: number): Promise<string> {
  const lines = (await readTail(logPath, from)).split('\n').filter((line) => line.trim() !== '')
  const errors = lines.flatMap((line) => LogLine.safeParse(parseJson(line)).data ?? [])
  const error = errors.find(({ s }) => s === 'F') ?? errors.at(-1)
  const detail = typeof error?.attr?.error === 'string' ? `: ${error.attr.error}` : ''
  const complaint = error ? error.msg + detail : lines.find((line) => !line.startsWith('{'))
  return complaint === undefined ? '' : `, ${complaint.slice(0, 300)}`
}

async function readTail(path: string, from: number): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return ''
  try {
    const start = Math.max(from, (await file.stat()).size - TAIL_BYTES)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const LOG_LIMIT_BYTES = 10_000_000

/** Keeps the log in bounds: a full one becomes `<log>.1`, in place of the one before. */
export async function rotateLog(logPath: string, mongod?: MongodProcess): Promise<void> {
  const { size } = await stat(logPath).catch(() => ({ size: 0 }))
  if (size < LOG_LIMIT_BYTES) return
  await rename(logPath, `${logPath}.1`)
  mongod?.kill('SIGUSR1')
}
