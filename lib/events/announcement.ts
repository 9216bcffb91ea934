import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { EventsDeps } from './deps.ts'
import { isSocketId } from './sent-by.ts'

/** The events that a write carries to the other instances. */
type AnnouncedEvent =
  | 'comment:created'
  | 'comment:updated'
  | 'comment:status'
  | 'comment:likes'
  | 'royal:changed'
  | 'conflict:decided'
  | 'conflicts:applied'

interface AnnouncementInput {
  /** Null tells the other instances that the document changed, and none of their sockets. */
  event: AnnouncedEvent | null
  /** The event without the numbers that the write computes itself. */
  payload: object
  /** The socket whose request it was: it has the answer. */
  sender?: string | undefined
  /** The `rev` of the document that the event is about, where another document carries the event. */
  subjectRev?: number | undefined
}

const Announcement = z.object({
  i: z.string(),
  n: z.string(),
  e: z.string().nullable(),
  x: z.string().optional(),
  r: z.number().optional(),
  p: z.record(z.string(), z.unknown()),
})

/** An announcement as another instance reads it. */
export interface Announcement {
  instance: string
  event: string | null
  payload: Record<string, unknown>
  sender: string | undefined
  subjectRev: number | undefined
}

export const createInstanceId = () => randomBytes(6).toString('base64url')

/** Matches the announcements of one instance; the instance is the first thing in each. */
export const announcedBy = (instance: string) => new RegExp(`^\\{"i":"${instance}"`)

/** Announcements of this process; with the name of the instance, a number is used once. */
let count = 0

/**
 * The value of `said` for a write that carries an event. It is one string: a pipeline update is logged as a difference,
 * and of a nested document only the parts that differ would arrive. The nonce makes it differ from the last one.
 */
export function toSaid(
  { instance }: Pick<EventsDeps, 'instance'>,
  { event, payload, sender, subjectRev }: AnnouncementInput,
): string {
  return JSON.stringify({
    i: instance,
    n: (++count).toString(36),
    e: event,
    x: isSocketId(sender) ? sender : undefined,
    r: subjectRev,
    p: payload,
  })
}

/** Reads `said`; null when it is none. */
export function parseSaid(said: string): Announcement | null {
  try {
    const { i, e, x, r, p } = Announcement.parse(JSON.parse(said))
    return { instance: i, event: e, payload: p, sender: x, subjectRev: r }
  } catch {
    return null
  }
}

/** The fields that a pipeline update sets to announce a state of its document. */
export const announcedState = (said: string) => ({
  rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
  said: { $literal: said },
})
