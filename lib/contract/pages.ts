import { z } from 'zod'
import { PAGE_MAX, TAKE_MAX } from './limits.ts'
import { text } from './texts/text.ts'

/** A whole number in a query string, from `min` to `max`, documented as an integer. */
export const wholeNumber = (name: string, min: number, max: number) => {
  const message = `${name} is a whole number from ${min} to ${max}`

  return text(9, message)
    .regex(/^\d+$/, message)
    .pipe(z.coerce.number<string>(message).int(message).min(min, message).max(max, message))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** `page` from 1 and `take` with its bounds, the parameters of every list. */
export const pageQuery = (defaultTake: number, maxTake = TAKE_MAX) => ({
  page: wholeNumber('page', 1, PAGE_MAX).default(1),
  take: wholeNumber('take', 1, maxTake).default(defaultTake),
})

export const listSchema = <S extends z.ZodType>(row: S) =>
  z.object({ results: z.array(row), total: z.int().nonnegative() })

export interface Page {
  page: number
  take: number
}
