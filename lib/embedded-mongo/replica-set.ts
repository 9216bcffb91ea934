import { connect as openSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import { hasCode } from '../system/has-code.ts'
import { REPLICA_SET } from './mongod-process.ts'

const POLL_MS = 10
const ALREADY_INITIALIZED = 23

export interface NodePlace {
  port: number
  dbPath: string
}

/**
 * Waits until the mongod on this port accepts writes, and makes it a replica set of one where it is none yet.
 * @throws when the signal is aborted; until then it goes on trying
 */
export function connectPrimary(place: NodePlace, signal: AbortSignal): Promise<MongoClient> {
  return connect(place, signal, async (admin) => {
    const hello = await admin.command({ hello: 1 })
    if (hello.isreplicaset === true && (await servesData(admin, place))) await takePlace(admin, place)
    return hello.isWritablePrimary === true
  })
}

/**
 * Waits until the mongod that somebody else runs on these data accepts writes.
 * @throws when the signal is aborted
 */
export async function awaitForeignPrimary(place: NodePlace, signal: AbortSignal): Promise<void> {
  const client = await connect(place, signal, async (admin) => {
    const hello = await admin.command({ hello: 1 })
    return hello.isWritablePrimary === true && (await servesData(admin, place))
  })
  await client.close()
}

async function connect(
  { port }: NodePlace,
  signal: AbortSignal,
  isReady: (admin: Db) => Promise<boolean>,
): Promise<MongoClient> {
  while (!(await isListening(port))) await sleep(POLL_MS, undefined, { signal })

  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    minHeartbeatFrequencyMS: 50,
    maxPoolSize: 1,
  })
  try {
    while (!(await isReady(client.db('admin')).catch(() => false))) await sleep(POLL_MS, undefined, { signal })
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Another program may listen on the port as long as the mongod meant does not. */
async function servesData(admin: Db, { dbPath }: NodePlace): Promise<boolean> {
  const options = await admin.command({ getCmdLineOpts: 1 })
  return options.parsed?.storage?.dbPath === dbPath
}

/** Gives the node its place in a set: a new one, or the stored one, which may name a port that is no longer kept. */
async function takePlace(admin: Db, { port }: NodePlace): Promise<void> {
  const host = `127.0.0.1:${port}`
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } })
  } catch (error) {
    if (!hasCode(error, ALREADY_INITIALIZED)) throw error
    const { config } = await admin.command({ replSetGetConfig: 1 })
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] }
    await admin.command({ replSetReconfig: moved, force: true })
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
