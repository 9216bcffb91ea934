import { MongoBulkWriteError, MongoServerError } from 'mongodb'
import { isDatabaseUnreachable } from './is-database-unreachable.ts'

/**
 * Runs an unordered command of many writes.
 * @returns the errors of those that the database refused, by their place in the command
 * @throws the error of the command as a whole: any of its writes may have happened, or none
 */
export async function refusedWrites(write: () => Promise<unknown>): Promise<Map<number, MongoServerError>> {
  try {
    await write()
    return new Map()
  } catch (error) {
    const isPartial = error instanceof MongoBulkWriteError && !isDatabaseUnreachable(error)
    if (!isPartial || error.result.getWriteConcernError() !== undefined) throw error
    const refused = [error.writeErrors].flat()
    // Refused as a whole, for which the driver has the same class.
    if (refused.length === 0) throw error
    return new Map(
      refused.map(({ index, code, errmsg = '' }) => [index, new MongoServerError({ message: errmsg, code })]),
    )
  }
}
