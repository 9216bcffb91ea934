import { z } from 'zod'
import { Id, IsoDate, SentDate } from './ids.ts'
import { PERSON_TEXT_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { trimmedText } from './text.ts'
import { isVisible } from './visible-text.ts'

const PersonText = trimmedText(PERSON_TEXT_MAX).refine(isVisible, MESSAGES.textUnseen)

const End = SentDate.meta({ examples: ['2100-01-01T00:00:00.000Z'] }).nullable()
/** `until` is null for good. */
export const SuspendBody = z.object({ until: End, reason: PersonText }).meta({ id: 'SuspendBody' })
export type SuspendBody = z.output<typeof SuspendBody>

const Suspension = z.object({ until: IsoDate.nullable(), reason: z.string(), at: IsoDate })

/** The suspension of a user; null without one. */
export const SuspensionState = z.object({ _id: Id, suspension: Suspension.nullable() }).meta({ id: 'SuspensionState' })
export type SuspensionState = z.infer<typeof SuspensionState>

/** `endedAt` is when an admin ended or replaced it. */
export const PastSuspension = Suspension.extend({ endedAt: IsoDate.nullable() })
export type PastSuspension = z.infer<typeof PastSuspension>
