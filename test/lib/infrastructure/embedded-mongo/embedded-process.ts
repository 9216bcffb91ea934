import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Document, MongoClient } from 'mongodb'
import { vi } from 'vitest'
import { findRunningMongod } from '#lib/infrastructure/embedded-mongo/embedded-mongo'
import { testProgram } from '../../../support/processes/test-programs.ts'

export type EmbeddedProcess = ReturnType<typeof launch>

interface Event {
  uri?: string
  refusal?: string
}

const children = new Set<ChildProcess>()
const folders = new Set<string>()

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gamehall-embedded-')))
  folders.add(folder)
  return folder
}

export function launch(role: 'service' | 'command', dataDir: string, mongodBinary: string) {
  const child = fork(testProgram('run-embedded'), [role, dataDir, mongodBinary], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.add(child)
  const exited = once(child, 'exit').finally(() => children.delete(child))
  const outcome = once(child, 'message').then(([event]: Event[]) => event ?? {})
  const expectField = async (field: keyof Event) => {
    const event = await outcome
    const text = event[field]
    if (text === undefined) throw new Error(JSON.stringify(event))
    return text
  }
  const [started, refused] = [expectField('uri'), expectField('refusal')]
  // A test awaits only the outcome that it expects.
  for (const end of [started, refused]) end.catch(() => {})
  return {
    child,
    /** Resolves with the address when it runs. */
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

/** Reads the process id in the lock file of mongod. */
export const readMongodId = async (dataDir: string) => Number(await readFile(join(dataDir, 'mongo', 'mongod.lock')))

export const isRunning = async (dataDir: string) =>
  (await findRunningMongod(dataDir, join(dataDir, 'mongo'))) !== undefined

export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill('SIGKILL')
  await vi.waitFor(() => {
    if (children.size > 0) throw new Error('some still run')
  }, 30_000)
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.clear()
}

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 30_000, minHeartbeatFrequencyMS: 50 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Writes in a transaction, which needs a replica set. */
export const writeNote = (uri: string, note: string) =>
  withClient(uri, (client) =>
    client.withSession((session) =>
      session.withTransaction(() => client.db().collection('notes').insertOne({ note }, { session })),
    ),
  )

export const readNotes = (uri: string) =>
  withClient(uri, async (client) => {
    const found = await client.db().collection('notes').find({}).sort({ _id: 1 }).toArray()
    return found.map(({ note }): unknown => note)
  })

export const askAdmin = (uri: string, command: Document) =>
  withClient(uri, (client) => client.db('admin').command(command))
