import { MongoClient } from 'mongodb'
import { closeAtEnd } from './close-at-end.ts'

/** Opens a database as another program does. */
export const useClient = closeAtEnd(async (uri: string) => new MongoClient(uri))
