import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Document, MongoClient } from 'mongodb'
import { expect, vi } from 'vitest'
import { listProcesses } from '../../../lib/embedded-mongo/process-identity.ts'
import { testProgram } from '../../support/processes/test-programs.ts'

/** For what the system does in its own time. */
const WAIT = 30_000

interface Started {
  uri: string
  isFresh: boolean
  ms: number
}

export interface EmbeddedProcess {
  child: ChildProcess
  lines: string[]
  /** Resolves when it runs. */
  started: Promise<Started>
  /** Resolves when it was refused, with the sentence. */
  refused: Promise<string>
  /** Stops it in order. */
  stop(): Promise<void>
  kill(): Promise<void>
}

type Event = Partial<Started> & { line?: string; refusal?: string; isStartError?: boolean }

const children = new Set<ChildProcess>()
const folders = new Set<string>()

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gamehall-embedded-')))
  folders.add(folder)
  return folder
}

/** Starts a service, or a command, on a data folder, as a process of its own. */
export function launch(role: 'service' | 'command', dataDir: string, mongodBinary: string): EmbeddedProcess {
  const child = fork(testProgram('run-embedded'), [role, dataDir, mongodBinary], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.add(child)
  const exited = once(child, 'exit').finally(() => children.delete(child))
  const lines: string[] = []
  child.on('message', ({ line }: Event) => {
    if (line !== undefined) lines.push(line)
  })
  const started = new Promise<Started>((resolve, reject) => {
    child.on('message', ({ uri, isFresh, ms, refusal }: Event) => {
      if (uri !== undefined && isFresh !== undefined && ms !== undefined) resolve({ uri, isFresh, ms })
      if (refusal !== undefined) reject(new Error(refusal))
    })
  })
  const refused = new Promise<string>((resolve, reject) => {
    child.on('message', ({ uri, refusal, isStartError }: Event) => {
      if (uri !== undefined) reject(new Error('it runs'))
      if (refusal !== undefined && isStartError) resolve(refusal)
      if (refusal !== undefined) reject(new Error(`not a StartError: ${refusal}`))
    })
  })
  // A test awaits the one that it expects.
  for (const end of [started, refused]) end.catch(() => {})
  return {
    child,
    lines,
    started,
    refused,
    async stop() {
      child.send('stop')
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The ids of the mongod processes on the data of a folder. */
export async function findMongods(dataDir: string): Promise<number[]> {
  const processes = await listProcesses()
  return processes.filter(({ commandLine }) => commandLine.includes(` ${dataDir}/mongo `)).map(({ pid }) => pid)
}

export async function findOneMongod(dataDir: string): Promise<number> {
  const [pid, ...others] = await findMongods(dataDir)
  expect(others).toEqual([])
  if (pid === undefined) throw new Error('no mongod runs')
  return pid
}

/** Ends the processes that tests left running. */
export async function endProcesses(): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  await vi.waitFor(() => expect(children.size).toBe(0), WAIT)
  for (const folder of folders) {
    for (const pid of await findMongods(folder)) process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await findMongods(folder)).toEqual([]), WAIT)
  }
}

/** Ends what tests left running, and removes their folders. */
export async function cleanUp(): Promise<void> {
  await endProcesses()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  folders.clear()
}

/** Runs work with a client, which is closed afterwards. */
export async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 30_000, minHeartbeatFrequencyMS: 50 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

export const writeNote = (uri: string, note: string) =>
  withClient(uri, (client) => client.db().collection('notes').insertOne({ note }))

export const readNotes = (uri: string) =>
  withClient(uri, async (client) => {
    const found = await client.db().collection('notes').find({}).sort({ _id: 1 }).toArray()
    return found.map(({ note }): unknown => note)
  })

export const askAdmin = (uri: string, command: Document) =>
  withClient(uri, (client) => client.db('admin').command(command))

export const readPort = async (dataDir: string) => Number(await readFile(join(dataDir, 'mongo.port'), 'utf8'))

/** Calls work while a program that has nothing to do with us listens on a port. */
export async function whilePortTaken<T>(work: (port: number) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  try {
    return await work(address.port)
  } finally {
    server.close()
  }
}
