import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createService } from '#lib/app'
import { type Config, readConfig } from '#lib/base/config'
import { createDeps, type ReplacedParts } from '#lib/create-deps'
import type { Deps } from '#lib/deps'
import { createKeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'
import { DATABASE_TIMEOUTS } from '#lib/infrastructure/concurrency/timeouts'
import { type Database, openDatabase, prepareDatabase } from '#lib/infrastructure/db/connect'
import { createPace } from '#lib/infrastructure/jobs/pace'
import { createAuthLimits } from '#lib/infrastructure/limits/auth-limits'
import { createLogger, type Logger } from '#lib/infrastructure/observability/log'
import { type Caller, createCaller } from '../clients/caller.ts'
import { insertUser, type UserFacts } from '../rows/rows.ts'
import { closeAtEnd } from './close-at-end.ts'
import { acquireDatabase, isPrepared, releaseDatabase } from './database-pool.ts'

/** The functions of `test/fixtures/http`, as `functionsFolder`. */
export const HTTP_FIXTURES = fileURLToPath(new URL('../../../dist/test/fixtures/http/', import.meta.url))
export const SITE = 'http://localhost:3000'
export const FOREIGN_SITE = 'http://foreign.example'
export const BUSY_MACHINE_MS = 12_000
const JWT_SECRET = 'a secret of at least thirty-two characters'

export interface TestService {
  deps: Deps
  db: Database
  /** The address of its database, for another instance. */
  mongodbUri: string
  http: Server
  port: number
  baseUrl: string
  /** Signs in a new user, straight in the database. */
  caller(facts?: UserFacts): Promise<Caller>
  guest: Caller
  close(): Promise<void>
}

/** Time limits for a database that answers late only on a busy machine. */
export const patientTimeouts = (ms = BUSY_MACHINE_MS) => ({
  ...DATABASE_TIMEOUTS,
  waitQueueTimeoutMS: ms,
  socketTimeoutMS: ms,
})

interface TestServiceOptions extends ReplacedParts {
  env?: Record<string, string>
  config?: Partial<Config>
  functionsFolder?: string
  log?: Logger
  /** True when the background writer of decisions runs. */
  isWriting?: boolean
  /** True when the sources of `SYNC` are walked. */
  isSyncing?: boolean
  /** True when the service makes the keys of games that another program stores. */
  isMakingKeys?: boolean
  /** Another database than a new one of the run's server. */
  mongodbUri?: string
  /** Another address of the database for the feed, such as that of a proxy. */
  feedUri?: string
  /** Time limit of commands and requests: long by default, but that of the product where `mongodbUri` is set. */
  timeoutMs?: number
}

/** Starts the whole service on a free port with a database of its own. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const {
    env,
    config: replaced,
    functionsFolder,
    log,
    isWriting,
    isSyncing,
    isMakingKeys,
    mongodbUri,
    feedUri,
    ...rest
  } = options
  const { timeoutMs = mongodbUri === undefined ? BUSY_MACHINE_MS : undefined, ...parts } = rest
  const uri = mongodbUri ?? (await acquireDatabase())
  if (!isPrepared(uri)) await prepareDatabase(uri)
  const db = openDatabase(uri, {
    feedUri: feedUri ?? uri,
    ...(timeoutMs && { timeouts: patientTimeouts(timeoutMs) }),
  })
  const dataDir = join(tmpdir(), `gamehall-test-${randomUUID()}`)
  const config = {
    ...readConfig({
      PORT: '0',
      LOG_LEVEL: 'silent',
      // A busy machine makes requests slow.
      SLOW_REQUEST_MS: '600000',
      CORS_ORIGINS: SITE,
      JWT_SECRET,
      DATA_DIR: dataDir,
      ...env,
    }),
    ...replaced,
  }
  const deps = createDeps({
    config,
    jwtSecret: config.jwtSecret ?? JWT_SECRET,
    log: log ?? createLogger(config.logLevel),
    db,
    ...(timeoutMs !== undefined && {
      queue: createKeyedQueue({ maxWaitMs: timeoutMs }),
      authLimits: createAuthLimits({ limits: db.limits, secret: JWT_SECRET, maxWaitMs: timeoutMs }),
    }),
    // Tests write conflicts themselves, and read their counts at once.
    conflictCountsEveryMs: 0,
    // A service with a database of its own is the only instance.
    ...(mongodbUri === undefined && { cacheLagMs: 50 }),
    // Requests of tests are those of people: no list waits for them.
    pace: createPace(db, { factor: 0, longestMs: 0 }),
    ...parts,
  })
  const service = await createService(deps, {
    areAnswersChecked: true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(functionsFolder !== undefined && { functionsFolder }),
  })
  const port = await service.listen()
  if (isWriting) deps.batchWriter.start()
  if (isSyncing) deps.sourceSyncs.start()
  if (isMakingKeys) deps.keysJob.start()
  const baseUrl = `http://127.0.0.1:${port}`

  return {
    deps,
    db,
    mongodbUri: uri,
    http: service.http,
    port,
    baseUrl,
    guest: createCaller({ baseUrl }),
    caller: async ({ userName = `user-${randomUUID().slice(0, 8)}`, ...facts } = {}) =>
      createCaller({ baseUrl, user: await insertUser(deps, { userName, ...facts }) }),
    async close() {
      await service.close(1_000)
      await db.close()
      if (mongodbUri === undefined) await releaseDatabase(uri)
      // Work that the close does not wait for may still write.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export const useService = closeAtEnd(startService)
