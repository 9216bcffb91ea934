import { StartError } from '#lib/base/errors'
import { startEmbeddedMongo } from '#lib/infrastructure/embedded-mongo/embedded-mongo'

/** A service or a command that is only its embedded MongoDB. It reports the outcome to its parent, and stops on a message. */
const [role, dataDir = '', mongodBinary = ''] = process.argv.slice(2)

const log = { info: () => {} }
const places = { dataDir, mongodBinary, searchPath: '', cacheDir: `${dataDir}-cache` }
// A service does the same, because it closes in its own time.
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
