import { z } from 'zod'
import { CHARACTER_FIELDS } from './character-fields.ts'
import { proposedShape } from './field-schemas.ts'
import { PAYLOAD_META, payloadSchema } from './payload.ts'

export const CharacterFields = z.strictObject(proposedShape(CHARACTER_FIELDS))

export const CharacterPayload = payloadSchema(CharacterFields).meta(PAYLOAD_META)
export type CharacterPayload = z.output<typeof CharacterPayload>
