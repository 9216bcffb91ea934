import type { ObjectId } from 'mongodb'
import type { CollectionDefinition } from './collection-definition.ts'

export const ADDRESS_DAYS = 30

/** An address that a user had during a session. The document outlives the session. */
interface UserAddressDocument {
  _id: ObjectId
  userId: ObjectId
  address: string
  at: Date
}

export const BY_ADDRESS_NEWEST_FIRST = { address: 1, at: -1, userId: 1 } as const

export const userAddresses: CollectionDefinition<UserAddressDocument> = {
  name: 'userAddresses',
  indexes: [
    { key: { address: 1, userId: 1 }, name: 'address_user', unique: true },
    { key: { userId: 1, at: -1 } },
    { key: BY_ADDRESS_NEWEST_FIRST },
    { key: { at: 1 }, expireAfterSeconds: ADDRESS_DAYS * 24 * 60 * 60 },
  ],
  isTransient: true,
}
