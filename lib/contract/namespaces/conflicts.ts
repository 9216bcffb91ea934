import { z } from 'zod'
import { Source } from '../sources.ts'
import type { ClientEvents, Namespace, ServerEvents } from './namespace.ts'

export const ConflictDecided = z.object({
  source: Source,
  externalId: z.string(),
  state: z.enum(['queued-match', 'queued-new', 'waiting']),
  decidedBy: z.string().nullable(),
})
export type ConflictDecided = z.infer<typeof ConflictDecided>

export const ConflictsApplied = z.object({ source: Source, externalIds: z.array(z.string()) })
export type ConflictsApplied = z.infer<typeof ConflictsApplied>

export const conflictsNamespace = {
  path: '/conflicts',
  summary: 'Announces decisions of admins and their writing. Decisions go through REST.',
  requests: {},
  events: {
    'conflict:decided': { summary: 'A conflict was matched, skipped or reopened', payload: ConflictDecided },
    'conflicts:applied': {
      summary: 'A batch of decisions was written or sent back to review',
      payload: ConflictsApplied,
    },
  },
} as const satisfies Namespace

export type ConflictsClientEvents = ClientEvents<typeof conflictsNamespace>
export type ConflictsServerEvents = ServerEvents<typeof conflictsNamespace>
