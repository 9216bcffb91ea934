import { z } from 'zod'
import { Id, IsoDate } from './ids.ts'
import { STAFF_TARGET_MAX } from './limits.ts'
import { listSchema, pageQuery } from './pages.ts'
import { text } from './texts/text.ts'

/** Actions of admins on other users' content, and commands of the deployer. */
export const StaffActionKind = z.enum([
  'comment-hidden',
  'comment-shown',
  'comment-deleted',
  'reports-cleared',
  'conflict-decided',
  'conflict-reopened',
  'candidate-added',
  'request-approved',
  'request-rejected',
  'admin-granted',
  'admin-revoked',
  'password-reset',
  'key-created',
  'key-revoked',
  'reset-link-made',
  'user-deleted',
  'user-suspended',
  'suspension-ended',
  'comments-hidden',
  'comments-shown',
  'user-noted',
  'sync-started',
  'sync-stopped',
])
export type StaffActionKind = z.infer<typeof StaffActionKind>

export const StaffTargetKind = z.enum(['comment', 'conflict', 'request', 'user', 'key', 'source'])
export type StaffTargetKind = z.infer<typeof StaffTargetKind>

export const StaffAction = z.object({
  _id: Id,
  at: IsoDate,
  /** Null for a command of the deployer, and when reports have hidden a comment. */
  admin: z.object({ userId: Id, userName: z.string() }).nullable(),
  action: StaffActionKind,
  /** The id of a conflict is `<source>/<externalId>`, that of a service key its name. A readable comment has its excerpt as name. */
  target: z.object({ kind: StaffTargetKind, id: z.string(), name: z.string().optional() }),
  details: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
    .nullable(),
})
export type StaffAction = z.infer<typeof StaffAction>

export const StaffActionList = listSchema(StaffAction)
export type StaffActionList = z.infer<typeof StaffActionList>

export const StaffActionsQuery = z.object({
  ...pageQuery(20),
  admin: Id.optional(),
  kind: StaffTargetKind.optional(),
  target: text(STAFF_TARGET_MAX).min(1).optional(),
})
export type StaffActionsQuery = z.output<typeof StaffActionsQuery>
