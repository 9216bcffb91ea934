import { arch, platform } from 'node:os'
import { argv, env } from 'node:process'

/** Runs as a process of its own, because the downloader has no time limit: the parent ends it. */
process.once('disconnect', () => process.exit(1))

// The downloader reads these at its import. Without the last one it accepts any certificate.
Object.assign(env, {
  MONGOMS_RUNTIME_DOWNLOAD: 'true',
  MONGOMS_MAX_RETRIES: '1',
  MONGOMS_MD5_CHECK: 'true',
  npm_config_strict_ssl: 'true',
})
const { DryMongoBinary, MongoBinary } = await import('mongodb-memory-server-core')

const [version = '', downloadDir = ''] = argv.slice(2)
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
