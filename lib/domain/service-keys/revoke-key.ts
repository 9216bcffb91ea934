import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'

/** Deletes a service key, and records the deployer's action. Returns false when there is none of this name. */
export async function revokeKey(deps: StaffDeps, { name }: { name: string }): Promise<boolean> {
  return await deps.db.transaction(async (session) => {
    const { deletedCount } = await deps.db.serviceKeys.deleteOne({ _id: name }, { session })
    if (deletedCount === 0) return false
    const target = { kind: 'key' as const, id: name }
    await recordStaffAction(deps, { actor: null, action: 'key-revoked', target }, { session })
    return true
  })
}
