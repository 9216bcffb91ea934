import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MongoClient } from 'mongodb'
import { writeDurably } from '../system/write-durably.ts'
import type { EmbeddedLog } from './embedded-options.ts'

/** Data that no start has finished to initialise: nobody was ever told that anything is in it. */
export const UNFINISHED = 'unfinished'

const releaseFile = (dataDir: string) => join(dataDir, 'mongo.release')

/** `6.0` of `6.0.5`. */
export const toRelease = (version: string) => version.split('.').slice(0, 2).join('.')

/**
 * The note that a data folder keeps about its data: `UNFINISHED`, the release that wrote it (`6.0`), or two (`6.0 7.0`)
 * while it is on its way from one to the next. Undefined when it says nothing.
 */
export async function readDataRelease(dataDir: string): Promise<string | undefined> {
  const text = (await readFile(releaseFile(dataDir), 'utf8').catch(() => '')).trim()
  return text === UNFINISHED || /^\d+\.\d+( \d+\.\d+)?$/.test(text) ? text : undefined
}

export function writeDataRelease(dataDir: string, release: string): Promise<void> {
  return writeDurably(releaseFile(dataDir), `${release}\n`)
}

/** Whether a mongod of this version may open data of that release: the same one may, and the next. */
export function canOpen(version: string, dataRelease: string | undefined): boolean {
  if (dataRelease === undefined || dataRelease === UNFINISHED) return true
  const [from, movingTo] = dataRelease.split(' ')
  const release = toRelease(version)
  if (movingTo !== undefined) return release === movingTo
  return release === from || isNext(release, from)
}

function isNext(release: string, from: string | undefined): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const [fromMajor = 0, fromMinor = 0] = (from ?? '').split('.').map(Number)
  return (major === fromMajor && minor > fromMinor) || (major === fromMajor + 1 && minor === 0)
}

/**
 * Lifts the data to the release of the mongod that runs on it, since only then the release after that can open it one day, and
 * notes it in the data folder.
 */
export async function settleDataRelease(
  client: MongoClient,
  { dataDir, version, log }: { dataDir: string; version: string; log: EmbeddedLog },
): Promise<void> {
  const admin = client.db('admin')
  const release = toRelease(version)
  const answer = await admin.command({ getParameter: 1, featureCompatibilityVersion: 1 })
  const from: unknown = answer.featureCompatibilityVersion?.version

  if (typeof from === 'string' && from !== release) {
    log.info(`The embedded MongoDB moves its data from release ${from} to ${release}`)
    await writeDataRelease(dataDir, `${from} ${release}`)
    // Releases before 7.0 do not know `confirm`, later ones insist on it.
    const confirm = Number(release.split('.')[0]) >= 7 ? { confirm: true } : {}
    await admin.command({ setFeatureCompatibilityVersion: release, ...confirm })
  }
  if ((await readDataRelease(dataDir)) !== release) await writeDataRelease(dataDir, release)
}
