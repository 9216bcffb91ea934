import { type Config, readConfig, readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { SECRETS } from '../../base/settings.ts'
import type { Finding } from '../../contract/measurements.ts'
import { SOURCE_TITLES, Source } from '../../contract/sources.ts'
import { resolveJwtSecret } from '../../domain/auth/development-secret.ts'
import { checkDatabase, streamChecks } from '../../domain/operations/check-database.ts'
import { settingChecks, stateChecks, storageChecks } from '../../domain/operations/check-installation.ts'
import { type Checks, fail, ok, runChecks, warn } from '../../domain/operations/run-checks.ts'
import { openDatabase } from '../../infrastructure/db/connect.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { toSourceError } from '../../infrastructure/sources/source-reader.ts'
import { createSources, type Sources } from '../../infrastructure/sources/sources.ts'
import { EntryError, SourceError } from '../../infrastructure/sources/transport/errors.ts'
import { createStorage } from '../../infrastructure/storage/create-storage.ts'
import { findDatabase } from '../commands/command-database.ts'
import { checkAddresses } from './check-addresses.ts'
import { createObjectChecks } from './compare-objects.ts'

/** An entry of each source, which need not exist. */
const ENTRIES = { igdb: '1', vndb: 'v1', hltb: '1', ra: '1' }

function sourceChecks(sources: Sources): Checks {
  const check = (source: Source) => async () => {
    const answer = await sources[source].read(ENTRIES[source]).catch(toSourceError)
    if (!(answer instanceof SourceError) || answer instanceof EntryError) return ok('answers')
    if (answer.failure === 'refused') return fail(`${answer.message}: correct its credentials`)
    return warn(`${answer.message}: entries and approvals wait or do without it`)
  }
  const on = Source.options.filter((source) => sources[source].isOn)
  return Object.fromEntries(on.map((source) => [SOURCE_TITLES[source], check(source)]))
}

interface Options {
  areObjectsCompared: boolean
}

async function* examine(config: Config, { areObjectsCompared }: Options): AsyncGenerator<Finding[]> {
  const clock = () => new Date()
  yield await runChecks(settingChecks(config))

  const { uri, stop } = await findDatabase(config, { mustExist: true })
  const db = openDatabase(uri)
  try {
    yield await checkDatabase({ db, clock }, { ...stateChecks({ config, db }), ...streamChecks(db) })
    const { isServed, findings } = await checkAddresses(config, await resolveJwtSecret(config))
    yield findings
    // A service may be storing images in the same folder.
    const storage = createStorage({ ...config, mongodbUri: uri })
    yield await runChecks(storageChecks(storage, { isServed: isServed || config.s3 !== undefined }))
    if (areObjectsCompared) yield await runChecks(await createObjectChecks(db.raw, storage))
    yield await runChecks(sourceChecks(createSources({ config, log: createLogger('silent'), clock })))
  } finally {
    await db.close()
    await stop()
  }
}

/** Hides the secrets of an environment in a text, and the user with the password in every address. */
function mask(environment: NodeJS.ProcessEnv, text: string): string {
  const secrets = SECRETS.flatMap((name) => environment[name] || [])
  return secrets.reduce(
    (masked, secret) => masked.replaceAll(secret, '***'),
    text.replace(/(?<=:\/\/)[^/\s]*@/g, '***@'),
  )
}

/** Checks this installation, beside a running service or none. No finding shows a secret. */
export async function* runDoctor(options: Options): AsyncGenerator<Finding> {
  let environment: NodeJS.ProcessEnv = {}
  try {
    environment = readEnvironment()
    for await (const findings of examine(readConfig(environment), options)) {
      for (const finding of findings) yield { ...finding, text: mask(environment, finding.text) }
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const text of error.message.split('\n')) yield { check: 'start', state: 'fail', text: mask(environment, text) }
  }
}
