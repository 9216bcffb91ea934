import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** An answer, a refusal included, is due by then; what the driver still waits for is bounded by itself. */
const ANSWER_WITHIN_MS = 2_800

/** Waits for work no longer than a caller should. @throws DomainError UNAVAILABLE when it takes longer */
export async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)), ANSWER_WITHIN_MS)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
