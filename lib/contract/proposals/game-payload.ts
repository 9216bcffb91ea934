import { z } from 'zod'
import { MESSAGES } from '../messages.ts'
import { ID_FORMS } from '../sources.ts'
import { trimmedText } from '../text.ts'
import { proposedShape } from './field-schemas.ts'
import { GAME_FIELDS } from './game-fields.ts'
import { PAYLOAD_META, payloadSchema } from './payload.ts'

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
export const GamePayload = payloadSchema(GameFields).meta(PAYLOAD_META)
export type GamePayload = z.output<typeof GamePayload>
