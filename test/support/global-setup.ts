import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../../lib/config.ts'
import { startEmbeddedMongo } from '../../lib/db/embedded/embedded-mongo.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mongoUri: string
  }
}

/** One real MongoDB for the whole run; `TEST_MONGODB_URI` names another. */
export default async function globalSetup(project: TestProject) {
  const given = process.env.TEST_MONGODB_URI
  if (given !== undefined && given !== '') {
    project.provide('mongoUri', given)
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'gamehall-test-'))
  const { mongodBinary, searchPath, cacheDir } = readConfig(process.env)
  const log = { info: (message: string) => console.log(message), warn: (message: string) => console.warn(message) }
  const mongo = await startEmbeddedMongo({ dataDir, mongodBinary, searchPath, cacheDir, log })
  project.provide('mongoUri', mongo.uri)

  return async () => {
    await mongo.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
