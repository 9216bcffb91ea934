import { z } from 'zod'

const toError = (message: string | undefined) => (message === undefined ? {} : { error: message })

/** Accepts a text as sent. Later checks see only short ones: normalising 1 MB of combining marks takes minutes. */
export const text = (max: number, message?: string, tooLong = message) =>
  z.string(message).max(max, { ...toError(tooLong), abort: true })

/** Units sent for each remaining character: a pair of surrogates, and as much white space. */
const UNITS_AS_SENT = 4

/** Accepts a text of at most `max` characters, and trims it. */
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
