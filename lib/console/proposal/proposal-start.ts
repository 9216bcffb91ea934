import { readDraft } from '../drafts.ts'
import { knownGames, readGames } from '../game-names.ts'
import { hall } from '../hall.ts'
import { type Draft, EMPTY_DRAFT, listGroupGameIds, type Payload, toDraft } from './draft.ts'
import { type ProposalKind, proposalGroups } from './fields.ts'

export type ProposalSubject = 'game' | 'character' | 'game-correction' | 'character-correction'

/** What a form holds of a proposal; it is kept as a draft in this shape, too. */
export interface Proposal {
  payload: Payload
  /** One link a line. */
  sources: string
  note: string
}

/** What the form begins with. */
export interface ProposalStart {
  subject: ProposalSubject
  targetId?: string
  /** An earlier request that is used again. */
  again?: Proposal & { requestId: string }
}

export const toProposalKind = (subject: ProposalSubject): ProposalKind =>
  subject.startsWith('game') ? 'game' : 'character'
export const isCorrection = (subject: ProposalSubject): boolean => subject.endsWith('correction')

/** Drafts are kept for each kind of proposal, each entry corrected and each request used again. */
export const toDraftKey = ({ subject, targetId, again }: ProposalStart): string =>
  `proposal-${subject}-${again?.requestId ?? targetId ?? ''}`

/** What was typed into this form before, or what it begins with. */
export function readProposal(start: ProposalStart): Proposal | undefined {
  const stored = readDraft(toDraftKey(start))
  if (stored === undefined || !('payload' in stored)) return start.again
  const { payload, sources = '', note = '' } = stored as Partial<Record<keyof Proposal, unknown>>
  if (typeof payload !== 'object' || payload === null) return start.again
  return { payload: { ...payload }, sources: String(sources), note: String(note) }
}

/** Names of games by their ids; a game that is gone keeps its id. */
async function findNames(ids: readonly string[]): Promise<(id: string) => string> {
  await readGames([...new Set(ids)])
  return (id) => knownGames.peek().get(id)?.name ?? id
}

/** Today's values under the names that a proposal has for them. */
function toValues(entry: Payload): Payload {
  const { relatedGames, ...values } = entry
  const readKey = (part: unknown, key: string): unknown =>
    typeof part === 'object' && part !== null ? new Map(Object.entries(part)).get(key) : undefined
  return {
    ...values,
    igdbId: readKey(entry.igdb, 'gameId'),
    vndbId: readKey(entry.vndb, 'vnId'),
    hltbId: readKey(entry.hltb, 'hltbId'),
    parentGameId: readKey(relatedGames, 'parent_game'),
  }
}

async function readEntry(kind: ProposalKind, idOrSlug: string): Promise<Payload> {
  return kind === 'game'
    ? await hall.call('GET /games/:idOrSlug', { params: { idOrSlug } })
    : await hall.call('GET /characters/:idOrSlug', { params: { idOrSlug } })
}

export interface LoadedProposal {
  /** The entry to correct. */
  target?: { _id: string; name: string }
  /** Today's values: only what differs from them is proposed. */
  today: Draft
  draft: Draft
}

/** Reads the entry that a form corrects, and lays over it what was typed. */
export async function loadProposal({ subject, targetId }: ProposalStart, payload: Payload): Promise<LoadedProposal> {
  const kind = toProposalKind(subject)
  const groups = proposalGroups(kind)
  if (!isCorrection(subject) || targetId === undefined) {
    const nameEntry = await findNames(listGroupGameIds(groups, payload))
    return { today: EMPTY_DRAFT, draft: toDraft(groups, { values: payload, nameEntry, isCorrection: false }) }
  }
  const entry = toValues(await readEntry(kind, targetId))
  const nameEntry = await findNames(listGroupGameIds(groups, { ...entry, ...payload }))
  const filled = toDraft(groups, { values: { ...entry, ...payload }, nameEntry, isCorrection: true })
  const added = toDraft(groups, { values: payload, nameEntry, isCorrection: false })
  return {
    target: { _id: String(entry._id), name: String(entry.name) },
    today: toDraft(groups, { values: entry, nameEntry, isCorrection: true }),
    draft: {
      texts: { ...filled.texts, ...added.texts },
      rows: { ...filled.rows, ...added.rows },
      platforms: filled.platforms,
      games: { ...filled.games, ...added.games },
      relations: added.relations,
    },
  }
}
