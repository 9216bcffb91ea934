import { type Config, readConfig, readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import type { Finding } from '../../contract/measurements.ts'
import { resolveJwtSecret } from '../../domain/auth/development-secret.ts'
import { checkDatabase } from '../../domain/operations/check-database.ts'
import { settingChecks } from '../../domain/operations/check-settings.ts'
import { createStateChecks } from '../../domain/operations/check-state.ts'
import { storageChecks } from '../../domain/operations/check-storage.ts'
import { runChecks } from '../../domain/operations/run-checks.ts'
import { openDatabase, openStored } from '../../infrastructure/db/connect.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { createSources } from '../../infrastructure/sources/sources.ts'
import { createStorage } from '../../infrastructure/storage/create-storage.ts'
import { findDatabase } from '../commands/command-database.ts'
import { checkAddresses } from './check-addresses.ts'
import { createSourceChecks } from './check-sources.ts'
import { createStreamChecks } from './check-stream.ts'
import { createObjectChecks } from './compare-objects.ts'
import { createMask } from './mask.ts'

interface Options {
  areObjectsCompared: boolean
}

async function* examineAll(config: Config, { areObjectsCompared }: Options): AsyncGenerator<Finding[]> {
  const clock = () => new Date()
  yield await runChecks(settingChecks(config))

  const { uri, stop } = await findDatabase(config, { mustExist: true })
  const db = openDatabase(uri)
  const stored = openStored(uri)
  // A service may be storing images in the same folder.
  const storage = createStorage({ ...config, mongodbUri: uri })
  try {
    yield await checkDatabase({ db, clock }, { ...createStateChecks({ config, db }), ...createStreamChecks(db) })
    const { isServed, findings } = await checkAddresses(config, await resolveJwtSecret(config))
    yield findings
    yield await runChecks(storageChecks(storage, { isServed: isServed || config.s3 !== undefined }))
    if (areObjectsCompared) yield await runChecks(await createObjectChecks(stored.db, storage))
    yield await runChecks(createSourceChecks(createSources({ config, log: createLogger('silent'), clock })))
  } finally {
    await Promise.all([db.close(), stored.client.close()])
    await stop()
  }
}

/** Checks this installation, beside a running service or none. No finding shows a secret. */
export async function* runDoctor(options: Options): AsyncGenerator<Finding> {
  let mask = (text: string) => text
  try {
    const environment = readEnvironment()
    mask = createMask(environment)
    for await (const findings of examineAll(readConfig(environment), options)) {
      for (const finding of findings) yield { ...finding, text: mask(finding.text) }
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const text of error.message.split('\n')) yield { check: 'start', state: 'fail', text: mask(text) }
  }
}
