import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../lib/base/config.ts'
import { startEmbeddedMongo } from '../../lib/infrastructure/embedded-mongo/embedded-mongo.ts'
import { provideChromium } from './browser/provide-chromium.ts'
import { provideWeed, type S3Access, startS3Server } from './processes/s3-server.ts'
import { buildFixtures, buildTestPrograms } from './processes/test-programs.ts'
import { provideNginx, providePromtool } from './tools/provide-debian-program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mongoUri: string
    /** Begins the names of all databases of the run. */
    databasePrefix: string
    s3: S3Access
  }
}

const ROOM_BYTES = 8 * 2 ** 30
/** The files of dropped databases stay as long: an hour of them is more than a process may open. */
const HISTORY_SECONDS = 60

interface Started<T> {
  access: T
  stop(): Promise<void>
}

/** True when a folder lies in memory with enough room, and its files may be run as programs. */
async function isRoomyMemory(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < ROOM_BYTES) return false
    const program = join(folder, `gamehall-test-${randomUUID()}`)
    try {
      await writeFile(program, '#!/bin/sh\n', { mode: 0o700 })
      execFileSync(program)
    } finally {
      await rm(program, { force: true })
    }
    return true
  } catch {
    return false
  }
}

/** Makes a folder for what the tests write, in memory where that is possible: much of it waits for the disk to be safe. */
async function makeTemporaryFolder(): Promise<string> {
  const memory = '/dev/shm'
  return await mkdtemp(join((await isRoomyMemory(memory)) ? memory : tmpdir(), 'gamehall-test-'))
}

/** Starts a MongoDB for the run, unless `TEST_MONGODB_URI` names one. */
async function startMongo(): Promise<Started<string>> {
  const access = process.env.TEST_MONGODB_URI
  if (access !== undefined && access !== '') return { access, stop: async () => {} }

  const dataDir = await mkdtemp(join(tmpdir(), 'gamehall-mongo-'))
  const { mongodBinary, searchPath, cacheDir } = readConfig(process.env)
  const log = { info: (message: string) => console.log(message), warn: (message: string) => console.warn(message) }
  const mongo = await startEmbeddedMongo({ dataDir, mongodBinary, searchPath, cacheDir, log })
  const client = new MongoClient(mongo.uri)
  const admin = client.db('admin')
  await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: HISTORY_SECONDS })
  const { config } = await admin.command({ replSetGetConfig: 1 })
  const relaxed = { ...config, version: config.version + 1, writeConcernMajorityJournalDefault: false }
  // Nothing kills this server, and waiting for the journal would take half the time of a write.
  await admin.command({ replSetReconfig: relaxed })
  await client.close()
  return { access: mongo.uri, stop: () => mongo.stop() }
}

/** Returns one line: the last output of a failed program, else the first line of the error. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error ? String(error.stderr).trim() : ''
  return stderr.split('\n').at(-1) || (error.message.split('\n')[0] ?? '')
}

// Each process that loads the SDK would print a warning that does not concern the tests.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

/** Starts a real MongoDB and a real S3 server for the whole run; the latter goes on starting while the first tests run. */
export default async function globalSetup(project: TestProject) {
  // Tests start built processes. The build does nothing when it is up to date.
  execFileSync(process.execPath, ['lib/ops/prepare.mjs'], { stdio: 'inherit' })
  await buildFixtures()
  const { projects } = project.vitest
  if (projects.some(({ name }) => name === 'faults')) await buildTestPrograms()
  const folder = await makeTemporaryFolder()
  process.env.TMPDIR = folder
  // Programs are fetched before the tests, which have a time limit.
  const provided = Promise.allSettled([provideChromium(), provideNginx(), providePromtool()])
  const started = await Promise.allSettled([startMongo(), provideWeed().then(startS3Server)])
  const stop = async () => {
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)))
    // Processes that a test left running may still write for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const [mongo, s3] = started
  const [chromium, nginx, promtool] = await provided
  for (const [name, program] of Object.entries({ Chromium: chromium, nginx, promtool, SeaweedFS: s3 })) {
    if (program.status === 'rejected') {
      console.error(`Not available: ${name} (${toReason(program.reason)}); the tests that need it fail`)
    }
  }
  if (mongo.status === 'rejected') {
    await stop()
    throw mongo.reason
  }
  project.provide('mongoUri', mongo.value.access)
  project.provide('databasePrefix', `t-${randomUUID().slice(0, 8)}-`)
  if (s3.status === 'fulfilled') project.provide('s3', s3.value.access)
  return stop
}
