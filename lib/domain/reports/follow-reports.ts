import { ObjectId } from 'mongodb'
import type { Change } from '../../infrastructure/events/change.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'

/** Sends the ids of comments whose reports changed at other instances to this instance's admins. */
export async function followReports({ emit }: { emit: Pick<Emitter, 'reports'> }, changes: readonly Change[]) {
  const reported = changes.filter((change) => toEvents(change).includes('reports:changed'))
  const ids = reported.flatMap(({ id }) => (id instanceof ObjectId ? id.toHexString() : []))
  for (const commentId of new Set(ids)) emit.reports.changed({ commentId }, { isRemote: true })
}
