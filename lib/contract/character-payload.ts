import { z } from 'zod'
import { LONG_TEXT_MAX } from './limits.ts'
import { boundedText, boundedTexts, idList, Link, PAYLOAD_META, payloadSchema } from './payload.ts'

/** The fields of a character that can be proposed. */
export const CharacterFields = z.strictObject({
  name: boundedText(200).optional(),
  akas: boundedTexts(20, 200).optional(),
  gameIds: idList(60).optional(),
  gender: boundedText(40).optional(),
  species: boundedText(80).optional(),
  countryName: boundedText(120).optional(),
  description: boundedText(LONG_TEXT_MAX).optional(),
  mugShot: Link.optional(),
})

export const CharacterPayload = payloadSchema(CharacterFields).meta({ ...PAYLOAD_META, id: 'CharacterPayload' })
export type CharacterPayload = z.output<typeof CharacterPayload>
