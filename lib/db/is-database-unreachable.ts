import { MongoError, MongoErrorLabel, MongoServerError } from 'mongodb'

const DRIVER_ERRORS = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
  'MongoExpiredSessionError',
])

/** Shutdown, step-down, no primary, and a server that took longer than `maxTimeMS`. */
const SERVER_CODES = new Set([6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436])

const NETWORK_CODES = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH'])

/** Whether an error of the driver says that the database cannot be reached now, rather than that a command is wrong. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof MongoServerError) {
    return SERVER_CODES.has(Number(error.code)) || error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)
  }
  if (error instanceof MongoError) return DRIVER_ERRORS.has(error.name)
  return error instanceof Error && 'code' in error && NETWORK_CODES.has(String(error.code))
}
