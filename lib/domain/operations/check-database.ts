import { release } from 'node:os'
import type { Admin, Db, Document } from 'mongodb'
import type { Finding } from '../../contract/measurements.ts'
import { type Database, DEFINITIONS } from '../../infrastructure/db/connect.ts'
import { findLackingIndexes } from '../../infrastructure/db/create-indexes.ts'
import { readSchema, SCHEMA } from '../../infrastructure/db/migrate.ts'
import type { OperationsDeps } from './deps.ts'
import { type Checks, fail, listSome, ok, runChecks, warn } from './run-checks.ts'

/** Without the actions of `readWrite` nothing works; with those of `dbAdmin` the start keeps lists out of indexed fields. */
const NEEDED = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex', 'changeStream']
const WANTED = ['collMod']

const TRANSACTION_SECONDS = 10
const CLOCK_SECONDS = { warn: 2, fail: 60 }
const AWAIT_MS = 500

type CheckDeps = Pick<OperationsDeps, 'db' | 'clock'>

export function judgeVersion(version: string, kernel: string) {
  const [major = 0] = version.split('.').map(Number)
  const [line = 0, minor = 0] = kernel.split('.').map(Number)
  if (major < 8 || line < 6 || (line === 6 && minor < 19)) return ok(`${version} on Linux ${kernel}`)
  return warn(`${version} crashes on Linux kernels from 6.19 on, and this is ${kernel}: run MongoDB 7.0`)
}

/** Runs a command that not every user of a database may run. The answer is empty without the right. */
const runIfAllowed = (admin: Admin, command: Document) => admin.command(command).catch((): Document => ({}))

/** Lists the actions that the database's user may take on the whole database; undefined where the server asks for no user. */
async function listActions(raw: Db): Promise<Set<string> | undefined> {
  const { authInfo } = await raw.command({ connectionStatus: 1, showPrivileges: true })
  if (authInfo.authenticatedUsers.length === 0) return undefined
  const held: Document[] = authInfo.authenticatedUserPrivileges
  const isWhole = ({ db, collection, anyResource }: Document) =>
    anyResource === true || (collection === '' && ['', raw.databaseName].includes(db))
  return new Set(held.flatMap(({ resource, actions }) => (isWhole(resource) ? actions : [])))
}

/** The checks of a database that answers. They change nothing. */
const createChecks = ({ db: { raw, meta }, clock }: CheckDeps): Checks => ({
  async 'database schema'() {
    const version = await readSchema(meta)
    if (version === SCHEMA) return ok(`${version}`)
    return warn(`${version ?? 'none'}, and this release has ${SCHEMA}: the next start migrates it`)
  },
  async 'database set'() {
    const { setName, msg } = await raw.command({ hello: 1 })
    if (setName !== undefined || msg === 'isdbgrid') return ok(setName ? `replica set ${setName}` : 'sharded cluster')
    return fail('no replica set: transactions need one, so start mongod with --replSet')
  },
  async 'database version'() {
    const { version } = await raw.command({ buildInfo: 1 })
    // In a container beside this one the kernel is the same.
    const { extra } = await runIfAllowed(raw.admin(), { hostInfo: 1 })
    return judgeVersion(version, extra?.kernelVersion ?? (process.platform === 'linux' ? release() : ''))
  },
  async 'database rights'() {
    const actions = await listActions(raw)
    if (actions === undefined) return ok('the server asks for no user')
    const lacks = (names: readonly string[]) => names.filter((name) => !actions.has(name)).join(', ')
    if (lacks(NEEDED) !== '')
      return fail(`the user may not ${lacks(NEEDED)}: grant it readWrite on ${raw.databaseName}`)
    return lacks(WANTED) === '' ? ok('enough') : warn(`the user may not ${lacks(WANTED)}: grant it dbAdmin as well`)
  },
  async 'database transactions'() {
    const name = 'transactionLifetimeLimitSeconds'
    const { [name]: seconds } = await runIfAllowed(raw.admin(), { getParameter: 1, [name]: 1 })
    if (seconds === undefined) return ok(`the user may not read ${name}`)
    if (seconds <= TRANSACTION_SECONDS) return ok(`${seconds} s`)
    return warn(`a killed process locks documents for ${seconds} s: start mongod with --setParameter ${name}=3`)
  },
  async 'database clock'() {
    const before = clock().getTime()
    const { localTime } = await raw.command({ hello: 1 })
    const ahead = (localTime.getTime() - (before + clock().getTime()) / 2) / 1_000
    const text = `${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine`
    if (Math.abs(ahead) < CLOCK_SECONDS.warn) return ok(text)
    return (Math.abs(ahead) < CLOCK_SECONDS.fail ? warn : fail)(`${text}: set both clocks by NTP`)
  },
  async 'database indexes'() {
    const lacking = (await Promise.all(DEFINITIONS.map((definition) => findLackingIndexes(raw, definition)))).flat()
    const taken = lacking.filter(({ rival }) => rival !== undefined)
    const listNames = (some: typeof lacking) => listSome(some.map(({ name }) => name))
    if (taken.length > 0) return fail(`other options have the place of ${listNames(taken)}: drop those and start again`)
    return lacking.length === 0 ? ok('all') : warn(`missing: ${listNames(lacking)}; the next start makes them`)
  },
})

/** Opens a change stream as the service does. */
export const streamChecks = ({ raw }: Pick<Database, 'raw'>): Checks => ({
  async 'change stream'() {
    const stream = raw.watch([], { maxAwaitTimeMS: AWAIT_MS })
    try {
      await stream.tryNext()
      return ok('can be read')
    } finally {
      await stream.close()
    }
  },
})

/** Runs the checks of the database, and others that need it; only the first where it does not answer. */
export async function checkDatabase(deps: CheckDeps, others: Checks = {}): Promise<Finding[]> {
  const reached = await runChecks({
    async database() {
      await deps.db.ping()
      return ok(`${deps.db.raw.databaseName} answers`)
    },
  })
  if (reached.some(({ state }) => state === 'fail')) return reached
  return [...reached, ...(await runChecks({ ...createChecks(deps), ...others }))]
}
