import { StartError } from '#lib/base/errors'
import { startEmbeddedMongo } from '#lib/infrastructure/embedded-mongo/embedded-mongo'

/** A service, or a command, reduced to its embedded MongoDB: tells its parent what happens, stops when it is told to. */
const [role, dataDir = '', mongodBinary = ''] = process.argv.slice(2)

const log = { info: () => {} }
const places = { dataDir, mongodBinary, searchPath: '', cacheDir: `${dataDir}-cache` }
// As a service does, which closes in its own time.
process.on('SIGINT', () => {})

try {
  const { uri, stop } = await startEmbeddedMongo({ ...places, canJoin: role === 'command', log })
  process.on('message', async () => {
    await stop()
    process.disconnect()
  })
  process.send?.({ uri })
} catch (error) {
  process.send?.(error instanceof StartError ? { refusal: error.message } : { unexpected: String(error) })
  process.disconnect()
}
