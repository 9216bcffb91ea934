import { ObjectId } from 'mongodb'
import { PENDING_REQUESTS_LIMIT } from '../../../contract/limits.ts'
import { CreateRequestBody, RequestStatus } from '../../../contract/requests.ts'
import type { ImportRun, SiteDocument } from '../import-run.ts'
import { toDate, toId, toText, toTimes } from '../site-values.ts'
import type { Part, Plan } from '../take-part.ts'

const PLATFORM_FIELDS = ['platformIds', 'platformId']

const SLOTS = Array.from({ length: PENDING_REQUESTS_LIMIT }, (_, slot) => slot)

/** Converts a proposed value to the form in which it is sent: ids in hex, those of platforms as they are here. */
function toSent(run: ImportRun, value: unknown, field: string): unknown {
  const platformId = PLATFORM_FIELDS.includes(field) ? run.toPlatformId(value) : null
  const id = platformId ?? value
  if (id instanceof ObjectId) return id.toHexString()
  if (Array.isArray(value)) return value.map((item) => toSent(run, item, field))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(fields.map(([name, inner]) => [name, toSent(run, inner, name)]))
}

function validate(run: ImportRun, document: SiteDocument) {
  const { kind, action, targetId, payload, sources, note } = document
  const sent = { kind, action, targetId: toId(targetId)?.toHexString(), payload, sources: sources ?? [], note }
  return CreateRequestBody.safeParse({ ...sent, payload: toSent(run, payload, 'payload') })
}

function toRequest(run: ImportRun, document: SiteDocument, hasTarget: boolean) {
  const { data: status } = RequestStatus.safeParse(document.status)
  if (status === undefined) return { leftOut: 'its status is unknown here', detail: String(document.status) }
  const userId = toId(document.userId)
  if (userId === null || run.isLeftOut('users', userId)) return { leftOut: 'its author is missing' }
  const { data, error } = validate(run, document)
  const [issue] = error?.issues ?? []
  if (!data)
    return { leftOut: 'it breaks the rules of requests', detail: `${issue?.path.join('.')}: ${issue?.message}` }
  const targetId = toId(data.targetId)
  if (targetId !== null && !hasTarget) return { leftOut: 'its target is missing' }
  const { appliedFields } = document
  return {
    _id: document._id,
    ...data,
    targetId,
    status,
    userId,
    appliedFields: Array.isArray(appliedFields) ? appliedFields.filter((field) => typeof field === 'string') : [],
    resultId: toId(document.resultId),
    reason: toText(document.reason),
    decidedAt: toDate(document.decidedAt),
    decidedBy: toId(document.decidedBy),
    ...toTimes(document),
  }
}

/** Loads the free slots of authors, which the run remembers. */
async function loadSlots({ db, freeSlots }: ImportRun, authors: readonly ObjectId[]): Promise<void> {
  const unknown = authors.filter((id) => !freeSlots.has(id.toHexString()))
  const filter = { userId: { $in: unknown }, status: 'pending' as const }
  const pending = await db.contentRequests.find(filter, { projection: { userId: 1, slot: 1 } }).toArray()
  for (const id of unknown) {
    const occupied = pending.filter(({ userId }) => userId?.equals(id)).map(({ slot = 0 }) => slot)
    const free = SLOTS.filter((slot) => !occupied.includes(slot))
    freeSlots.set(id.toHexString(), free)
  }
}

export const REQUESTS: Part = {
  of: 'contentRequests',
  name: 'requests',
  // The oldest pending ones of an author get the slots.
  isByAge: true,
  async plan(documents, run) {
    const targets = documents.map(({ targetId }) => targetId)
    const findGame = await run.lookUp('games', targets)
    const findCharacter = await run.lookUp('characters', targets)
    const authors = documents.flatMap(({ userId }) => toId(userId) ?? [])
    await loadSlots(run, authors)
    return documents.map((document): Plan => {
      const find = document.kind === 'character' ? findCharacter : findGame
      const request = toRequest(run, document, find(document.targetId) !== undefined)
      if (request.leftOut !== undefined) return request
      if (request.status !== 'pending') return { document: request }
      const slot = run.freeSlots.get(request.userId.toHexString())?.shift()
      if (slot === undefined) return { leftOut: `its author has ${PENDING_REQUESTS_LIMIT} older pending ones` }
      return { document: { ...request, slot } }
    })
  },
}
