import { randomBytes } from 'node:crypto'
import type { KeyScope } from '../../infrastructure/db/collections/service-keys.ts'
import { isDuplicateKey } from '../../infrastructure/db/duplicate-key.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import { hashServiceKey } from './use-service-key.ts'

const BYTES = 32

/** Creates a service key, and records the deployer's action. Returns the key, which is stored nowhere, null for a used name. */
export async function createKey(
  deps: StaffDeps,
  { name, scopes }: { name: string; scopes: KeyScope[] },
): Promise<string | null> {
  const key = `ghk_${randomBytes(BYTES).toString('base64url')}`
  const document = {
    _id: name,
    hash: hashServiceKey(key),
    scopes,
    createdAt: deps.clock(),
    lastUsedAt: null,
    lastAddress: null,
  }
  try {
    await deps.db.transaction(async (session) => {
      await deps.db.serviceKeys.insertOne(document, { session })
      const target = { kind: 'key' as const, id: name }
      await recordStaffAction(deps, { actor: null, action: 'key-created', target, details: { scopes } }, { session })
    })
  } catch (error) {
    if (isDuplicateKey(error)) return null
    throw error
  }
  return key
}
