import type { ContentRequest, RequestKind } from '../../contract/requests.ts'
import { readChoice } from '../route.ts'

export const REQUEST_STATUS: Readonly<Record<ContentRequest['status'], { name: string; look: string }>> = {
  pending: { name: 'Pending', look: 'warn' },
  approved: { name: 'Approved', look: 'good' },
  rejected: { name: 'Rejected', look: 'bad' },
  withdrawn: { name: 'Withdrawn', look: '' },
}

type Described = Pick<ContentRequest, 'kind' | 'action' | 'payload' | 'targetName'>

/** `New game: Vagrant Story` */
export function describeRequest({ kind, action, payload, targetName }: Described): string {
  if (action === 'update') return `Correction of ${targetName ?? `a ${kind} that is gone`}`
  const { name, igdbId, vndbId } = payload
  if (typeof name === 'string') return `New ${kind}: ${name}`
  return igdbId === undefined ? `New ${kind}: VNDB ${String(vndbId)}` : `New ${kind}: IGDB ${String(igdbId)}`
}

export const KINDS: Readonly<Record<RequestKind, string>> = { game: 'Games', character: 'Characters' }

/** The kind in the address, which filters the list and the review that begins there. */
export const readKind = (): RequestKind | undefined => readChoice('kind', KINDS)
export const toKindSuffix = (kind: RequestKind | undefined): string => (kind ? `?kind=${kind}` : '')
