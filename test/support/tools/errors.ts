import { expect } from 'vitest'
import { StartError } from '#lib/base/errors'

/** Returns the error of work that fails. @throws where the work succeeds */
export const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error: unknown) => error,
  )

/** Returns the sentence with which a start is refused. */
export async function startRefusalOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work)
  expect(error).toBeInstanceOf(StartError)
  return error instanceof Error ? error.message : ''
}
