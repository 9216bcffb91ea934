import { readConfig, readEnvironment } from '../../../lib/config.ts'
import { findMongod } from '../../../lib/embedded-mongo/find-mongod.ts'

/** The mongod that an embedded database would run. */
export async function findTestMongod() {
  const log = { info: () => {}, warn: console.warn }
  return await findMongod({ ...readConfig(readEnvironment()), dataDir: '', log })
}
