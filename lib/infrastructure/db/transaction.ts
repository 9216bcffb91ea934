import { type ClientSession, type MongoClient, MongoError, MongoErrorLabel } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const

const unavailable = () => new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)

const REPEATABLE = [MongoErrorLabel.TransientTransactionError, MongoErrorLabel.UnknownTransactionCommitResult]
const isRepeatable = (error: unknown) =>
  error instanceof MongoError && REPEATABLE.some((label) => error.hasErrorLabel(label))

/**
 * Runs work in a transaction, which changes all its documents or none, and retries it where the database allows. Every command
 * of the work must use the session, and the work may wait for nothing but the database.
 * @throws DomainError UNAVAILABLE after `timeoutMs`: the transaction may have been committed all the same
 */
export async function runTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  { timeoutMs }: { timeoutMs: number },
): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  // The driver repeats for two minutes, and its own `timeoutMS` has no effect.
  const assertInTime = () => {
    if (performance.now() >= endsAt) throw unavailable()
  }
  const transaction = client.withSession((session) =>
    session.withTransaction(async () => {
      assertInTime()
      const result = await work(session)
      assertInTime()
      return result
    }, OPTIONS),
  )
  return await withTimeout(timeoutMs, transaction).catch((error: unknown) => {
    throw isRepeatable(error) ? unavailable() : error
  })
}
