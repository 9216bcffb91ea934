import { arch, platform } from 'node:os'
import { DryMongoBinary, MongoBinary } from 'mongodb-memory-server-core'

/** Runs as a process of its own: the downloader has no time limit, so whoever started it stops it. */
const [version = '', downloadDir = ''] = process.argv.slice(2)
process.once('disconnect', () => process.exit(1))

try {
  const options = await DryMongoBinary.generateOptions({ version })
  const path = await MongoBinary.download({
    ...options,
    platform: platform(),
    arch: arch(),
    downloadDir,
    checkMD5: true,
  })
  process.send?.(path, () => process.exit(0))
} catch (error) {
  console.error(error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : error)
  process.exit(1)
}
