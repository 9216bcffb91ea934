import type { RequestKind } from '../../contract/requests.ts'
import { readDraft } from '../drafts.ts'
import { readGames } from '../names.ts'
import { hall } from '../session.ts'
import { type Draft, toDraft } from './draft.ts'
import { isAdded, isObject, listFields, listGameIds, type Values } from './fields.ts'

export type ProposalSubject = RequestKind | `${RequestKind}-correction`

export interface Proposal {
  payload: Values
  /** One link a line. */
  sources: string
  note: string
}

export interface ProposalStart {
  subject: ProposalSubject
  targetId?: string
  reused?: Proposal & { requestId: string }
}

export const toProposalKind = (subject: ProposalSubject): RequestKind =>
  subject.startsWith('game') ? 'game' : 'character'
export const isCorrection = (subject: ProposalSubject): boolean => subject.endsWith('correction')

/** The key of a draft: one for each kind of proposal, each corrected entry and each request that is used again. */
export const toDraftKey = ({ subject, targetId, reused }: ProposalStart): string =>
  `proposal-${subject}-${reused?.requestId ?? targetId ?? ''}`

// The form alone writes drafts under these keys.
export const readProposal = (start: ProposalStart): Proposal | undefined =>
  (readDraft(toDraftKey(start)) as Proposal | undefined) ?? start.reused

/** Converts an entry of the catalogue to values by the keys of the form. */
function toValues({ relatedGames, igdb, vndb, hltb, ...values }: Values): Values {
  const readKey = (part: unknown, key: string) => (isObject(part) ? part[key] : undefined)
  return {
    ...values,
    igdbId: readKey(igdb, 'gameId'),
    vndbId: readKey(vndb, 'vnId'),
    hltbId: readKey(hltb, 'hltbId'),
    parentGameId: readKey(relatedGames, 'parent_game'),
  }
}

async function readEntry(kind: RequestKind, idOrSlug: string): Promise<Values> {
  return kind === 'game'
    ? await hall.call('GET /games/:idOrSlug', { params: { idOrSlug } })
    : await hall.call('GET /characters/:idOrSlug', { params: { idOrSlug } })
}

export interface LoadedProposal {
  target?: { _id: string; name: string }
  current: Draft
  draft: Draft
}

/** Reads the entry that a form corrects, and puts the typed values over its own. */
export async function loadProposal({ subject, targetId }: ProposalStart, payload: Values): Promise<LoadedProposal> {
  const kind = toProposalKind(subject)
  const fields = listFields(kind)
  const typed = toDraft(fields, payload)
  const entry = isCorrection(subject) && targetId !== undefined ? toValues(await readEntry(kind, targetId)) : undefined
  await readGames(listGameIds(fields, { ...entry, ...payload }))
  if (entry === undefined) return { current: {}, draft: typed }
  // A field that an approval adds to begins empty, because its current values are no proposal.
  const replaced = fields.filter((field) => !isAdded(field))
  const current = toDraft(replaced, entry)
  return { target: { _id: String(entry._id), name: String(entry.name) }, current, draft: { ...current, ...typed } }
}
