import type { EntryResult } from '../../../contract/entries.ts'
import { Source } from '../../../contract/sources.ts'
import { findPlatforms } from '../../../domain/catalogue/platforms/find-platforms.ts'
import { takeEntries } from '../../../domain/conflicts/intake/take-entries.ts'
import { isAboutEntries } from '../../../domain/conflicts/states.ts'
import { IMPORT_INSTANCE } from '../../../infrastructure/events/sent-by.ts'
import { UNPACED } from '../../../infrastructure/jobs/pace.ts'
import { createQuietIntake } from '../../quiet-intake.ts'
import type { ImportRun, SiteDocument } from '../import-run.ts'
import { objectsIn, toId, toIds, toText, toTimes } from '../site-values.ts'
import type { Part, Plan } from '../take-part.ts'
import { readSiteEntries, readSiteSubject } from './read-source-form.ts'

const DONE = new Set(['unchanged', 'decided', 'refreshed'])
type Conflict = Exclude<ReturnType<typeof readConflict>, { leftOut: string }>

function readConflict(document: SiteDocument) {
  const { data: source } = Source.safeParse(document.source)
  if (source === undefined) return { leftOut: 'its source is unknown here', detail: String(document.source) }
  const { status, decision } = document
  if (!['pending', 'resolved', 'absent'].includes(status)) {
    return { leftOut: 'its state is unknown here', detail: String(status) }
  }
  if (status === 'pending' && decision != null) return { leftOut: 'queued' }
  const externalId = toText(String(document.externalId ?? ''))
  if (externalId === null) return { leftOut: 'it names no entry' }
  const gameId = isAboutEntries(source) ? toId(externalId) : null
  const { winners = document.winner } = document
  const [winner = null] = toIds([winners].flat().map((game) => game?._id ?? game))
  const externalName = toText(document.externalName) ?? ''
  return {
    document,
    source,
    externalId: gameId?.toHexString() ?? externalId,
    externalName,
    isWaiting: status === 'pending',
    /** The game that must be in the catalogue; null when it is unknown, undefined when none is required. */
    gameId: isAboutEntries(source) ? gameId : status === 'resolved' ? winner : undefined,
    winner,
    ...readSiteSubject(source, externalName, document.externalData),
  }
}

async function rematch(run: ImportRun, source: Source, conflicts: readonly Conflict[]): Promise<EntryResult[]> {
  const options = { syncNew: 'conflicts', isDryRun: !run.isWriting } as const
  const deps = createQuietIntake({ db: run.db, instance: IMPORT_INSTANCE, pace: UNPACED })
  if (source !== 'hltb') {
    const entries = conflicts.map(({ externalId: id, subject, platforms }) => ({ ...subject, id, platforms }))
    return await takeEntries(deps, { source, entries }, options)
  }
  const games = conflicts.map(({ externalId: gameId, document }) => ({
    gameId,
    entries: readSiteEntries(document.entries),
  }))
  return await takeEntries(deps, { source, games }, options)
}

function toPlan({ outcome, message }: EntryResult): Plan {
  if (outcome === 'refused') return { leftOut: 'its entry breaks the rules', detail: message ?? undefined }
  return DONE.has(outcome) ? 'there' : {}
}

function toFinal({ document, source, externalId, externalName, winner, subject }: Conflict, platformIds: unknown) {
  const [decidedBy] = objectsIn([document.decidedBy])
  const [userId, userName] = [toId(decidedBy?.userId), toText(decidedBy?.userName)]
  return {
    _id: document._id,
    source,
    externalId,
    externalName,
    reason: null,
    candidates: [],
    entries: isAboutEntries(source) ? readSiteEntries(document.entries) : undefined,
    status: document.status,
    decision: document.status === 'resolved' ? 'match' : 'skip',
    winner,
    winnerEntryId: toText(document.winnerEntryId),
    decidedBy: userId && userName ? { userId, userName } : null,
    externalData: { ...subject, platformIds },
    ...toTimes(document),
  }
}

/** Plans conflicts of one source, whose games are in the catalogue. */
async function planSource(run: ImportRun, source: Source, conflicts: readonly Conflict[]): Promise<Plan[]> {
  const filter = { source, externalId: { $in: conflicts.map(({ externalId }) => externalId) } }
  const stored = await run.db.conflicts.find(filter, { projection: { source: 1, externalId: 1 } }).toArray()
  const taken = new Set(stored.map(({ externalId }) => externalId))
  const platforms = conflicts.flatMap((conflict) => conflict.platforms)
  const toPlatformIds = await findPlatforms(run, source, platforms)
  const waiting = conflicts.filter(({ isWaiting }) => isWaiting)
  // In a dry run the games of the site are not here to be compared.
  const isUnmatched = waiting.length === 0 || (isAboutEntries(source) && !run.isWriting)
  const results = isUnmatched ? [] : await rematch(run, source, waiting)

  return conflicts.map((conflict) => {
    if (conflict.isWaiting) {
      const result = results[waiting.indexOf(conflict)]
      return result ? toPlan(result) : {}
    }
    if (taken.has(conflict.externalId)) return { leftOut: 'its entry is taken here' }
    return { document: toFinal(conflict, toPlatformIds(conflict.platforms)) }
  })
}

export const CONFLICTS: Part = {
  of: 'conflicts',
  async plan(documents, run) {
    const read = documents.map(readConflict)
    const conflicts = read.flatMap((conflict) => (conflict.leftOut === undefined ? [conflict] : []))
    const gameIds = conflicts.map(({ gameId }) => gameId)
    const findGame = await run.lookUp('games', gameIds)
    const whole = conflicts.filter(({ gameId }) => gameId === undefined || findGame(gameId))
    const plans = new Map<unknown, Plan>()
    for (const source of Source.options) {
      const ofSource = whole.filter((conflict) => conflict.source === source)
      const planned = await planSource(run, source, ofSource)
      for (const [index, plan] of planned.entries()) plans.set(ofSource[index], plan)
    }
    return read.map((conflict) =>
      conflict.leftOut === undefined ? (plans.get(conflict) ?? { leftOut: 'its game is missing' }) : conflict,
    )
  },
}
