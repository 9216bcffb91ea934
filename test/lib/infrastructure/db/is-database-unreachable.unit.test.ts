import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoRuntimeError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb'
import { expect, it } from 'vitest'
import { isDatabaseUnreachable } from '#lib/infrastructure/db/is-database-unreachable'

const serverError = (fields: object) => new MongoServerError({ message: 'no', ...fields })

const writeConcernError = (code: number) =>
  new MongoWriteConcernError({ ok: 1, writeConcernError: { code, errmsg: 'no', errInfo: {} } })

// A bulk write's own result is of no interest here.
const bulkError = (cause: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
  new MongoBulkWriteError(cause, Object.create(null))

it.each([
  ['a wait for a server in vain', new MongoServerSelectionError('no server', Object.create(null))],
  ['a shutdown', serverError({ code: 91 })],
  ['a step-down', serverError({ code: 11602 })],
  ['a refused sign-in', serverError({ code: 18 })],
  ['a missing right', serverError({ code: 13 })],
  ['an error that the server labels as retryable', serverError({ code: 1, errorLabels: ['RetryableWriteError'] })],
  ['a write concern that a shutdown left open', writeConcernError(91)],
  ['a bulk write that a network error ended', bulkError(new MongoNetworkError('connection 1 closed'))],
  ['a bulk write that a shutdown ended', bulkError(serverError({ code: 11600 }))],
  ['a bulk write without a primary', bulkError({ message: 'not primary', code: 10107 })],
  ['a driver error because of the network', new MongoRuntimeError('x', { cause: new MongoNetworkError('y') })],
  ...[
    MongoClientClosedError,
    MongoExpiredSessionError,
    MongoNetworkTimeoutError,
    MongoNotConnectedError,
    MongoOperationTimeoutError,
    MongoServerClosedError,
    MongoTopologyClosedError,
  ].map((Outage): [string, Error] => [`a ${Outage.name}`, new Outage('closed')]),
  ['a broken pipe', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
])('the database counts as unreachable after %s', (_, error) => {
  expect(isDatabaseUnreachable(error)).toBe(true)
})

it.each([
  ['a duplicate key', serverError({ code: 11000 })],
  ['a failed validation', serverError({ code: 121 })],
  ['a write conflict in a transaction', serverError({ code: 112, errorLabels: ['TransientTransactionError'] })],
  ['a write concern that no server can meet', writeConcernError(100)],
  ['a bulk write with a duplicate key', bulkError({ message: 'E11000', code: 11000 })],
  ['a bulk write that a wrong command ended', bulkError(serverError({ code: 9 }))],
  ['a fault of the code', new TypeError('x is undefined')],
  ['nothing', undefined],
])('the database does not count as unreachable after %s', (_, error) => {
  expect(isDatabaseUnreachable(error)).toBe(false)
})
