import { z } from 'zod'
import { MESSAGES } from '../messages.ts'
import { ID_FORMS } from '../sources.ts'
import { trimmedText } from '../texts/text.ts'
import { CHARACTER_FIELDS } from './character-fields.ts'
import { proposedShape } from './field-schemas.ts'
import { GAME_FIELDS } from './game-fields.ts'

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  return (Array.isArray(value) ? value : Object.values(value).filter(isFilled)).length > 0
}

const payloadSchema = <S extends z.ZodRawShape>(fields: z.ZodObject<S, z.core.$strict>) =>
  fields
    .transform((sent, { issues }) => {
      const entries = Object.entries(sent).filter(([, value]) => isFilled(value))
      if (entries.length === 0) {
        issues.push({ code: 'custom', message: MESSAGES.payloadEmpty, input: sent })
        return z.NEVER
      }
      // Every field is optional, so some of them are a payload as well.
      return Object.fromEntries(entries) as typeof sent
    })
    .meta({ minProperties: 1, description: 'Removes lists without entries, because they propose nothing.' })

/** Accepts an id of a source, and removes leading zeros, because owners are found by that form. */
const sourceId = (source: 'vndb' | 'hltb', max: number, message: string) =>
  trimmedText(max, message)
    .overwrite((id) => id.replace(/^(v?)0+/, '$1'))
    .regex(ID_FORMS[source], message)
    .optional()

export const GameFields = z.strictObject({
  ...proposedShape(GAME_FIELDS),
  vndbId: sourceId('vndb', GAME_FIELDS.vndbId.max, MESSAGES.vndbIdForm),
  hltbId: sourceId('hltb', GAME_FIELDS.hltbId.max, MESSAGES.hltbIdForm),
})

/** Release dates in Unix seconds. Images, `websites` and `videos` are links; games, platforms and relations are ids. */
export const GamePayload = payloadSchema(GameFields)
export type GamePayload = z.output<typeof GamePayload>

export const CharacterFields = z.strictObject(proposedShape(CHARACTER_FIELDS))

export const CharacterPayload = payloadSchema(CharacterFields)
export type CharacterPayload = z.output<typeof CharacterPayload>
