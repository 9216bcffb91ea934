import { type Config, isEnvFileIgnored, readConfig, readEnvironment } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import type { Finding } from '../../contract/measurements.ts'
import { checkDatabase } from '../../domain/operations/check-database.ts'
import { settingChecks } from '../../domain/operations/check-settings.ts'
import { runChecks } from '../../domain/operations/run-checks.ts'
import { openDatabase } from '../../infrastructure/db/connect.ts'
import { findDatabase } from '../commands/command-database.ts'
import { createMask } from './mask.ts'

async function examine(config: Config, findings: Finding[]): Promise<void> {
  findings.push(...(await runChecks(settingChecks(config, { isEnvFileIgnored: isEnvFileIgnored() }))))
  const { uri, stop } = await findDatabase(config, { mustExist: true })
  const db = openDatabase(uri)
  try {
    findings.push(...(await checkDatabase({ db, clock: () => new Date() })))
  } finally {
    await db.close()
    await stop()
  }
}

/** Checks this installation, beside a running service or none. No finding shows a secret. */
export async function runDoctor(): Promise<Finding[]> {
  const findings: Finding[] = []
  let mask = (text: string) => text
  try {
    const environment = readEnvironment()
    mask = createMask(environment)
    await examine(readConfig(environment), findings)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const text of error.message.split('\n')) findings.push({ check: 'start', state: 'fail', text })
  }
  return findings.map((finding) => ({ ...finding, text: mask(finding.text) }))
}
