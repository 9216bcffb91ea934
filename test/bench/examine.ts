import type { Db } from 'mongodb'

export interface Examined {
  keys: number
  documents: number
}

/** Keys and documents that the database examines for some work. */
export async function examine(db: Db, work: () => Promise<unknown>): Promise<Examined> {
  await db.command({ profile: 2 })
  await work()
  await db.command({ profile: 0 })
  const [sum] = await db
    .collection('system.profile')
    .aggregate<Examined>([
      { $match: { planSummary: { $exists: true } } },
      { $group: { _id: null, keys: { $sum: '$keysExamined' }, documents: { $sum: '$docsExamined' } } },
    ])
    .toArray()
  await db.dropCollection('system.profile')
  return { keys: sum?.keys ?? 0, documents: sum?.documents ?? 0 }
}
