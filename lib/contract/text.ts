import { z } from 'zod'

const toError = (message: string | undefined) => (message === undefined ? {} : { error: message })

/**
 * A text of at most `max` characters as sent. Whatever follows looks at it only when its length held: normalising 1 MB of
 * combining marks takes minutes.
 */
export const text = (max: number, message?: string, tooLong = message) =>
  z.string(message).max(max, { ...toError(tooLong), abort: true })

/** Units as sent for each character that may be left: pairs of surrogates, and as much white space. */
const UNITS_AS_SENT = 4

/** A text of at most `max` characters without the white space around it. */
export const trimmedText = (max: number, message?: string) =>
  z
    .string(message)
    .check(({ value, issues }) => {
      if (value.length <= UNITS_AS_SENT * max) return
      const tooLong = { code: 'too_big', origin: 'string', maximum: max, inclusive: true } as const
      issues.push({ ...tooLong, input: value, continue: false, ...(message !== undefined && { message }) })
    })
    .trim()
    .max(max, { ...toError(message), abort: true })
