import { z } from 'zod'
import { MESSAGES } from '../messages.ts'
import { trimmedText } from '../text.ts'
import { proposedShape } from './field-schemas.ts'
import { GAME_FIELDS } from './game-fields.ts'
import { PAYLOAD_META, payloadSchema } from './payload.ts'

export const GameFields = z.strictObject({
  ...proposedShape(GAME_FIELDS),
  vndbId: trimmedText(GAME_FIELDS.vndbId.max, MESSAGES.vndbIdForm)
    .regex(/^v\d{1,15}$/, MESSAGES.vndbIdForm)
    .optional(),
  hltbId: trimmedText(GAME_FIELDS.hltbId.max, MESSAGES.hltbIdForm)
    .regex(/^\d{1,15}$/, MESSAGES.hltbIdForm)
    .optional(),
})

/** Release dates in Unix seconds. Images, `websites` and `videos` are links; games, platforms and relations are ids. */
export const GamePayload = payloadSchema(GameFields).meta({ ...PAYLOAD_META, id: 'GamePayload' })
export type GamePayload = z.output<typeof GamePayload>
