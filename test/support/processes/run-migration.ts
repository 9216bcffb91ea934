import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { migrate } from '#lib/infrastructure/db/migrate'
import type { Migration } from '#lib/infrastructure/db/migrations/migrations'

/** A made-up migration: it doubles a number under another name, one document after the other. */
const doubleNumbers: Migration = {
  name: 'doubles numbers',
  async run(db, lost) {
    const documents = db.collection('numbers')
    for (;;) {
      lost.throwIfAborted()
      const { matchedCount } = await documents.updateOne({ number: { $exists: true } }, [
        { $set: { doubled: { $multiply: ['$number', 2] } } },
        { $unset: 'number' },
      ])
      if (matchedCount === 0) return
      await sleep(1)
    }
  },
}

// This process migrates the database of its argument, and prints what a start would print.
const { uri, leaseMs }: { uri: string; leaseMs: number } = JSON.parse(process.argv[2] ?? '')
const client = new MongoClient(uri)
await migrate(client.db(), { migrations: [doubleNumbers], leaseMs, print: (line) => console.log(line) })
await client.close()
