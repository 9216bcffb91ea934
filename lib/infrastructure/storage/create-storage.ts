import type { Config } from '../../base/config.ts'
import { createLocalStorage } from './local-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import type { Storage } from './storage.ts'

/** Creates the configured storage: a bucket, else files in `DATA_DIR`. */
export function createStorage({ s3, dataDir, publicUrl }: Config): Storage {
  return s3 === undefined ? createLocalStorage({ dataDir, publicUrl }) : createS3Storage({ s3 })
}
