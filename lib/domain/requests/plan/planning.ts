import type { GamePayload } from '#lib/contract/proposals/game-payload'
import type { RequestDecisionBody } from '#lib/contract/requests'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { RequestsDeps } from '../deps.ts'

export type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'failpoint'>

export type PlanInput = Pick<ContentRequestDocument, 'action' | 'targetId' | 'payload'> &
  Pick<RequestDecisionBody, 'lockSync' | 'force'> & { signal: AbortSignal }

export type Planning = Pick<PlanInput, 'action' | 'targetId' | 'force' | 'signal'> & {
  /** Sentences for the admin, collected while planning. */
  warnings: string[]
}

/** The fields of a payload that name entries of sources. */
export type SourceIds = Pick<GamePayload, 'igdbId' | 'vndbId' | 'hltbId' | 'retroachievements'>
