import type { ObjectId } from 'mongodb'
import type { RequestDecisionBody } from '../../contract/requests.ts'
import type { ContentRequestDocument } from '../../db/collections/content-requests.ts'
import type { RequestsDeps } from '../deps.ts'

export type PlanDeps = Pick<RequestsDeps, 'db' | 'clock' | 'sources' | 'failpoint'>

export interface PlanInput extends Pick<RequestDecisionBody, 'lockSync' | 'force'> {
  action: ContentRequestDocument['action']
  targetId: ObjectId | null | undefined
  /** The picked fields. */
  payload: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

/** A plan under way. */
export interface Planning extends Omit<PlanInput, 'payload' | 'lockSync'> {
  /** Whole sentences for the admin, added on the way. */
  warnings: string[]
}
