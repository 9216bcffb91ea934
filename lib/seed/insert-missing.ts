import type { Collection, Filter, ObjectId } from 'mongodb'

/** Inserts documents of fixed ids unless they are there; one stored meanwhile stays as it is. */
export async function insertMissing<D extends { _id: ObjectId }>(
  collection: Collection<D>,
  documents: readonly D[],
): Promise<void> {
  if (documents.length === 0) return
  await collection.bulkWrite(
    documents.map(({ _id, ...fields }) => ({
      updateOne: {
        // `_id` and the other fields are those of `D`.
        filter: { _id } as Filter<D>,
        update: { $setOnInsert: fields as never },
        upsert: true,
      },
    })),
    { ordered: false },
  )
}
