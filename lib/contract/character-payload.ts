import { z } from 'zod'
import { LONG_TEXT_MAX } from './limits.ts'
import { ids, Link, PAYLOAD_META, payloadSchema, text, texts } from './payload.ts'

/** The fields of a character that can be proposed. */
export const CharacterFields = z.strictObject({
  name: text(200).optional(),
  akas: texts(20, 200).optional(),
  gameIds: ids(60).optional(),
  gender: text(40).optional(),
  species: text(80).optional(),
  countryName: text(120).optional(),
  description: text(LONG_TEXT_MAX).optional(),
  mugShot: Link.optional(),
})

export const CharacterPayload = payloadSchema(CharacterFields).meta({ ...PAYLOAD_META, id: 'CharacterPayload' })
export type CharacterPayload = z.output<typeof CharacterPayload>
