import { openEmbeddedMongo, startEmbeddedMongo } from '../../../lib/embedded-mongo/embedded-mongo.ts'
import { StartError } from '../../../lib/errors.ts'

/** A service, or a command, reduced to its embedded MongoDB: tells its parent what happens, stops when it is told to. */
const [role, dataDir = '', mongodBinary = ''] = process.argv.slice(2)

const tell = (event: Record<string, unknown>) => process.send?.(event)
const log = { info: (line: string) => tell({ line }), warn: (line: string) => tell({ line }) }
const open = role === 'service' ? startEmbeddedMongo : openEmbeddedMongo
// As a service does, which closes in its own time.
process.on('SIGINT', () => {})

try {
  const startedAt = performance.now()
  const mongo = await open({ dataDir, mongodBinary, searchPath: '', cacheDir: `${dataDir}-cache`, log })
  tell({ uri: mongo.uri, isFresh: mongo.isFresh, ms: performance.now() - startedAt })
  process.on('message', async (message) => {
    if (message === 'exit') process.exit(3)
    await mongo.stop()
    process.disconnect()
  })
} catch (error) {
  tell({ refusal: error instanceof Error ? error.message : String(error), isStartError: error instanceof StartError })
  process.disconnect()
}
