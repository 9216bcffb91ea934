import { z } from 'zod'

/** A number, which some sources write as text at times. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,15})?$/)
    .transform(Number),
])
