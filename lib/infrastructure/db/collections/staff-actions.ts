import { z } from 'zod'
import { StaffActionKind, StaffTargetKind } from '#lib/contract/staff'
import { id, orAbsent, orNull, type ReadBy } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const readable = {
  _id: id,
  at: z.date(),
  /** Null for a command of the deployer's. */
  admin: orNull(z.object({ userId: id, userName: z.string() })),
  action: StaffActionKind,
  details: orAbsent(z.record(z.string(), z.unknown())),
  target: z.object({ kind: StaffTargetKind, id: z.string(), name: orAbsent(z.string()) }),
}

export interface StaffActionDocument extends ReadBy<typeof readable> {
  /** An id of ours in hex; a conflict's is `<source>/<externalId>`, a service key's its name. */
  target: { kind: StaffTargetKind; id: string; name?: string }
  isPending?: true
  /** Never the text of a comment or a secret. */
  details?: Record<string, string | number | boolean | null | string[]>
}

const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60
const NEWEST_FIRST = { at: -1, _id: -1 } as const
export const OF_TARGET = { 'target.kind': 1, 'target.id': 1, ...NEWEST_FIRST } as const

export const staffActions: CollectionDefinition<StaffActionDocument> = {
  name: 'staffActions',
  indexes: [
    { key: { at: 1 }, expireAfterSeconds: TWO_YEARS_SECONDS },
    { key: NEWEST_FIRST },
    { key: { 'admin.userId': 1, ...NEWEST_FIRST } },
    { key: { 'admin.userId': 1, 'target.kind': 1, ...NEWEST_FIRST } },
    { key: { 'target.kind': 1, ...NEWEST_FIRST } },
    { key: OF_TARGET },
    { key: { isPending: 1, at: 1 }, partialFilterExpression: { isPending: true } },
  ],
  readable,
}
