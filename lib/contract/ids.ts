import { z } from 'zod'
import { DATE_TEXT_MAX, PATH_TEXT_MAX } from './limits.ts'
import { MESSAGES } from './messages.ts'
import { OBJECT_ID } from './object-id.ts'
import { text } from './texts/text.ts'

/** 24 hexadecimal characters, accepted in any case and converted to lower case. */
export const Id = text(24, MESSAGES.invalidId)
  .regex(new RegExp(`^${OBJECT_ID}$`), MESSAGES.invalidId)
  .toLowerCase()
export type Id = z.infer<typeof Id>

export const IdParams = z.object({ id: Id })
export const GameIdParams = z.object({ gameId: Id })

/** ISO 8601 in UTC, the form of every date. */
export const IsoDate = z.iso.datetime()

/** A date that a client sends. */
export const SentDate = text(DATE_TEXT_MAX)
  .pipe(IsoDate)
  .meta({ format: 'date-time', examples: ['2026-01-01T00:00:00.000Z'] })

const segment = text(PATH_TEXT_MAX)
export const FileParams = z.object({ folder: segment, entityId: segment, objectId: segment })
export const AssetParams = z.object({ asset: segment })
