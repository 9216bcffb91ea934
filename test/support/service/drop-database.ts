import { MongoClient } from 'mongodb'

export async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri)
  await client.db(new URL(uri).pathname.slice(1)).dropDatabase()
  await client.close()
}
