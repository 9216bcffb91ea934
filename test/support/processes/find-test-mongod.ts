import { readConfig, readEnvironment } from '#lib/base/config'
import { findMongod } from '#lib/infrastructure/embedded-mongo/find-mongod'

/** The mongod that an embedded database would run. */
export async function findTestMongod() {
  const log = { info: () => {}, warn: console.warn }
  return await findMongod({ ...readConfig(readEnvironment()), dataDir: '', log })
}
