import { z } from 'zod'
import { orNull, readableArray } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const KeyScope = z.enum(['entries', 'users'])
/** What a service key may do. */
export type KeyScope = z.infer<typeof KeyScope>
export const KEY_SCOPES = KeyScope.options

export interface ServiceKeyDocument {
  /** The name, because no two keys share one. */
  _id: string
  /** SHA-256 of the key, in hex. */
  hash: string
  scopes: KeyScope[]
  createdAt: Date
  /** Both are written at most once a minute. */
  lastUsedAt: Date | null
  lastAddress: string | null
}

export const serviceKeys: CollectionDefinition<ServiceKeyDocument> = {
  name: 'serviceKeys',
  indexes: [{ key: { hash: 1 }, name: 'hash', unique: true }],
  readable: {
    _id: z.string(),
    hash: z.string(),
    scopes: readableArray(KeyScope),
    createdAt: z.date(),
    lastUsedAt: orNull(z.date()),
    lastAddress: orNull(z.string()),
  },
}
