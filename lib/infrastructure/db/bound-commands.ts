import type { Collection, Document } from 'mongodb'

/** The position of the options among the parameters of each method that sends a command. */
const OPTIONS_AT = {
  aggregate: 1,
  bulkWrite: 1,
  countDocuments: 1,
  deleteMany: 1,
  deleteOne: 1,
  distinct: 2,
  estimatedDocumentCount: 0,
  find: 1,
  findOne: 1,
  findOneAndDelete: 1,
  findOneAndReplace: 2,
  findOneAndUpdate: 2,
  insertMany: 1,
  insertOne: 1,
  replaceOne: 2,
  updateMany: 2,
  updateOne: 2,
} as const satisfies Partial<Record<keyof Collection, number>>

/** Bounds the time that the database spends on each command of a collection, unless the command has its own bound. */
export function boundCommands(collection: Collection, maxTimeMS: number): Collection {
  for (const [name, at] of Object.entries(OPTIONS_AT)) {
    const send: unknown = Reflect.get(collection, name)
    if (typeof send !== 'function') throw new Error(`the driver's collection has no ${name}`)
    Reflect.set(collection, name, (...args: unknown[]) => {
      // Every method has an object or nothing at that position.
      args[at] = { maxTimeMS, ...(args[at] as Document | undefined) }
      return Reflect.apply(send, collection, args)
    })
  }
  return collection
}
