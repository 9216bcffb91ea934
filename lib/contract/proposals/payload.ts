import { z } from 'zod'
import { Id } from '../ids.ts'
import { LINK_MAX } from '../limits.ts'
import { MESSAGES } from '../messages.ts'
import { readUrl } from '../read-url.ts'
import { trimmedText } from '../text.ts'
import { isAllVisible, isVisible } from '../visible-text.ts'

/** Accepts a text of several lines. The pattern documents the rule after trimming. */
export const longText = (max: number) =>
  trimmedText(max).min(1, { abort: true }).refine(isVisible, MESSAGES.textUnseen).meta({ pattern: '\\S' })
export const nameText = (max: number) =>
  trimmedText(max).min(1, { abort: true }).refine(isAllVisible, MESSAGES.nameUnseen).meta({ pattern: '\\S' })

/** Accepts a list of at most `count` sent members, and removes repeats. */
export const distinctList = <S extends z.ZodType>(
  member: S,
  count: number,
  toKey: (member: z.output<S>) => string = (member) => JSON.stringify(member),
) =>
  z
    .array(member)
    .max(count)
    .overwrite((list) => {
      const keys = list.map(toKey)
      return list.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
    })

/** Keeps the first of names that differ only in case and in the form of their accents. */
export const nameTexts = (count: number, max: number) =>
  distinctList(nameText(max), count, (member) => member.normalize('NFC').toLowerCase())
export const idList = (count: number) => distinctList(Id, count)

const HTTP_LINK = /^https?:\/\/[^\s\p{Cc}]+$/iu
export const Link = trimmedText(LINK_MAX)
  .refine((link) => HTTP_LINK.test(link) && readUrl(link) !== undefined, MESSAGES.notALink)
  .meta({ format: 'uri' })
export const linkList = (count: number) => distinctList(Link, count)

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  return (Array.isArray(value) ? value : Object.values(value).filter(isFilled)).length > 0
}

/** Removes lists without entries, because they propose nothing. */
export const payloadSchema = <S extends z.ZodRawShape>(fields: z.ZodObject<S, z.core.$strict>) =>
  fields.transform((sent, { issues }) => {
    const entries = Object.entries(sent).filter(([, value]) => isFilled(value))
    if (entries.length === 0) {
      issues.push({ code: 'custom', message: MESSAGES.payloadEmpty, input: sent })
      return z.NEVER
    }
    // Every field is optional, so some of them are a payload as well.
    return Object.fromEntries(entries) as typeof sent
  })

export const PAYLOAD_META = {
  minProperties: 1,
  description: 'Removes lists without entries, because they propose nothing.',
}
