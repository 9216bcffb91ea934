import type { StaffDeps } from './deps.ts'
import { recordStaffAction } from './record-staff-action.ts'

/** The same after the write, for callers without a transaction. A failure is logged: the change has happened. */
export async function recordStaffActionAfter(
  deps: StaffDeps,
  entry: Parameters<typeof recordStaffAction>[1],
): Promise<void> {
  await deps.db
    .transaction((session) => recordStaffAction(deps, entry, { session }))
    .catch((error: unknown) => {
      deps.log.error({ err: error, action: entry.action, target: entry.target }, 'a staff action could not be recorded')
    })
}
