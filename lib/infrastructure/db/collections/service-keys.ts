import { z } from 'zod'
import { orNull, type ReadBy, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const KeyScope = z.enum(['entries', 'users'])
export type KeyScope = z.infer<typeof KeyScope>
export const KEY_SCOPES = KeyScope.options

const readable = {
  /** The name, because no two keys share one. */
  _id: z.string(),
  /** SHA-256 of the key, in hex. */
  hash: z.string(),
  scopes: readableArray(KeyScope),
  createdAt: z.date(),
  /** Both are written at most once a minute. */
  lastUsedAt: orNull(z.date()),
  lastAddress: orNull(z.string()),
}

export interface ServiceKeyDocument extends ReadBy<typeof readable> {}

export const serviceKeys: CollectionDefinition<ServiceKeyDocument> = {
  name: 'serviceKeys',
  indexes: [{ key: { hash: 1 }, name: 'hash', unique: true }],
  readable,
}
