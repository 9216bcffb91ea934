import { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoNetworkError, MongoServerError } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'

/** The names of the driver's errors that mean an outage, besides those of the network. The driver does not export all classes. */
const OUTAGES = new Set([
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoStalePrimaryError',
  'MongoNotConnectedError',
  'MongoExpiredSessionError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
])

/** `Unauthorized` and `AuthenticationFailed`: somebody changed the password or the rights of the database's user. */
const REFUSED_CODES = [13, 18]
/** Shutdown, step-down, no primary, and a server that took longer than `maxTimeMS`. */
const AWAY_CODES = [6, 7, 50, 89, 91, 133, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436]
const SERVER_CODES = new Set([...REFUSED_CODES, ...AWAY_CODES])

const NETWORK_CODES = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH'])

function isServerAway(error: MongoServerError): boolean {
  if (SERVER_CODES.has(Number(error.code)) || error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)) return true
  // A bulk write wraps the error that ended it.
  if (!(error instanceof MongoBulkWriteError)) return false
  return SERVER_CODES.has(Number(error.err?.code)) || isDatabaseUnreachable(error.errorResponse)
}

/** True when an error of the driver means an unreachable database, not a wrong command. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof MongoServerError) return isServerAway(error)
  if (error instanceof MongoNetworkError) return true
  if (error instanceof MongoError) return OUTAGES.has(error.name) || isDatabaseUnreachable(error.cause)
  return error instanceof Error && 'code' in error && NETWORK_CODES.has(String(error.code))
}

/** Describes an outage in one line. A server that refuses a command quotes it with its values, which are left out. */
export function describeOutage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return hasCode(error, ...REFUSED_CODES)
    ? `The database refuses the user of MONGODB_URI: ${message.replace(/ to execute command.*/s, '')}`
    : `The database cannot be reached: ${message}`
}

/** True when the database did not answer a write, so that the write may have succeeded. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof DomainError
    ? error.code === 'UNAVAILABLE' && !error.details.isUnwritten
    : isDatabaseUnreachable(error)
