import { ObjectId } from 'mongodb'
import type { Change } from '../../infrastructure/events/change.ts'
import type { Emitter } from '../../infrastructure/events/emitter.ts'
import { toEvents } from '../../infrastructure/events/to-events.ts'

/** Sends the admins of this instance which comments others have reported or decided about. */
export async function followReports({ emit }: { emit: Pick<Emitter, 'reports'> }, changes: readonly Change[]) {
  const meant = changes.filter((change) => toEvents(change).includes('reports:changed'))
  const ids = meant.flatMap(({ id }) => (id instanceof ObjectId ? id.toHexString() : []))
  for (const commentId of new Set(ids)) emit.reports.changed({ commentId }, { isRemote: true })
}
