import { createRequire } from 'node:module'
import * as driver from 'mongodb'
import { MongoBulkWriteError, MongoError, MongoRuntimeError, MongoServerError, MongoWriteConcernError } from 'mongodb'
import { expect, it } from 'vitest'
import { isDatabaseUnreachable } from '#lib/infrastructure/db/is-database-unreachable'

type ErrorClass = typeof MongoError

const require = createRequire(import.meta.url)
/** Thrown, too, although the package does not export them. */
const poolErrors: Record<string, unknown> = require('mongodb/lib/cmap/errors.js')

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === 'function' && value.prototype instanceof MongoError

const classes = [...Object.values({ ...driver }), ...Object.values(poolErrors)].filter(isErrorClass)

/** Constructors differ; the classes are told apart by nothing that one sets. */
const instanceOf = (type: ErrorClass): MongoError =>
  Object.assign(Object.create(type.prototype), { errorLabelSet: new Set() })

const serverError = (fields: object) => new MongoServerError({ message: 'no', ...fields })

const writeConcernError = (code: number) =>
  new MongoWriteConcernError({ ok: 1, writeConcernError: { code, errmsg: 'no', errInfo: {} } })

// A bulk write's own result is of no interest here.
const bulkError = (cause: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
  new MongoBulkWriteError(cause, Object.create(null))

it('knows every class of the driver that says the database is away, and takes no other for one', () => {
  expect(classes.length).toBeGreaterThan(45)
  const unreachable = classes.filter((type) => isDatabaseUnreachable(instanceOf(type)))

  expect(unreachable.map((type) => instanceOf(type).name).sort()).toEqual([
    'MongoClientClosedError',
    'MongoExpiredSessionError',
    'MongoNetworkError',
    'MongoNetworkTimeoutError',
    'MongoNotConnectedError',
    'MongoOperationTimeoutError',
    'MongoPoolClearedError',
    'MongoPoolClosedError',
    'MongoServerClosedError',
    'MongoServerSelectionError',
    'MongoStalePrimaryError',
    'MongoTopologyClosedError',
    'MongoWaitQueueTimeoutError',
    'PoolClearedOnNetworkError',
  ])
})

it.each([
  ['a shutdown', serverError({ code: 91 })],
  ['a step-down', serverError({ code: 11602 })],
  ['what the server says may be tried again', serverError({ code: 1, errorLabels: ['RetryableWriteError'] })],
  ['a write concern that a shutdown left open', writeConcernError(91)],
  ['a bulk write that a network error ended', bulkError(new driver.MongoNetworkError('connection 1 closed'))],
  ['a bulk write that a shutdown ended', bulkError(serverError({ code: 11600 }))],
  ['a bulk write without a primary', bulkError({ message: 'not primary', code: 10107 })],
  ['a driver error because of the network', new MongoRuntimeError('x', { cause: new driver.MongoNetworkError('y') })],
  ['a broken pipe', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
])('true for %s', (_, error) => {
  expect(isDatabaseUnreachable(error)).toBe(true)
})

it.each([
  ['a duplicate key', serverError({ code: 11000 })],
  ['a failed validation', serverError({ code: 121 })],
  ['a refused sign-in', serverError({ code: 18 })],
  ['a write conflict in a transaction', serverError({ code: 112, errorLabels: ['TransientTransactionError'] })],
  ['a write concern nobody can meet', writeConcernError(100)],
  ['a bulk write with a duplicate key', bulkError({ message: 'E11000', code: 11000 })],
  ['a bulk write that a wrong command ended', bulkError(serverError({ code: 9 }))],
  ['a fault of the code', new TypeError('x is undefined')],
  ['nothing', undefined],
])('false for %s', (_, error) => {
  expect(isDatabaseUnreachable(error)).toBe(false)
})
