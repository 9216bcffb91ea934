import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { OperationsDeps } from './deps.ts'

/** @throws DomainError UNAVAILABLE while this instance is about to stop, the driver's error without a database */
export async function checkReady({ db, draining }: Pick<OperationsDeps, 'db' | 'draining'>): Promise<void> {
  if (draining.signal.aborted) throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
  await db.ping()
}
