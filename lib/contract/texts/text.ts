import { z } from 'zod'
import { LINK_MAX } from '../limits.ts'
import { MESSAGES } from '../messages.ts'
import { readUrl } from '../read-url.ts'
import { isAllVisible, isVisible } from './visible-text.ts'

const toError = (message: string | undefined) => (message === undefined ? {} : { error: message })

/** Accepts a short text as it is sent. Later checks never see a long one: normalising 1 MB of combining marks takes minutes. */
export const text = (max: number, message?: string, tooLong = message) =>
  z.string(message).max(max, { ...toError(tooLong), abort: true })

/** Units that are accepted for each character of the trimmed text: a pair of surrogates, and as much white space. */
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

const filledText = (max: number, isReadable: (text: string) => boolean, message: string) =>
  // The pattern documents the rule after trimming.
  trimmedText(max).min(1, { abort: true }).refine(isReadable, message).meta({ pattern: '\\S' })

/** Accepts a text of several lines. */
export const longText = (max: number) => filledText(max, isVisible, MESSAGES.textUnseen)
export const nameText = (max: number) => filledText(max, isAllVisible, MESSAGES.nameUnseen)

const HTTP_LINK = /^https?:\/\/[^\s\p{Cc}]+$/iu
export const Link = trimmedText(LINK_MAX)
  .refine((link) => HTTP_LINK.test(link) && readUrl(link) !== undefined, MESSAGES.notALink)
  .meta({ format: 'uri' })
