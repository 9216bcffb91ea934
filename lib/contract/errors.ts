import { z } from 'zod'

/** The shape of every error. `issues` of invalid input, `duplicates` best first, `requestId` on 5xx answers. */
export const ErrorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  duplicates: z.array(z.object({ _id: z.string(), name: z.string(), slug: z.string(), score: z.number() })).optional(),
  requestId: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
