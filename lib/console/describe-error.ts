import { ApiError } from '../client/index.ts'

/** The service's own sentence, with the request's id where there is one to look up in the log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'Something went wrong'
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return requestId === undefined ? error.message : `${error.message} (request ${requestId})`
}

const ADVICE: Readonly<Record<number, string>> = {
  0: 'Check the connection, then try again.',
  401: 'Sign in, then try again.',
  409: 'The data has changed meanwhile. Check its current state.',
  429: 'Wait a moment, then try again.',
  503: 'Nothing was changed. Try again in a moment.',
}

/** True when another tab has signed in as another user. */
const isForAnotherUser = ({ issues }: ApiError) => issues.some(({ path }) => path === 'x-viewer-id')

/** Advice on what to do about a refusal; undefined where its sentence is enough. */
export function adviseOn(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (isForAnotherUser(error)) return 'Reload the page to continue as that user.'
  const { status, retryAfter } = error
  return status === 429 && retryAfter !== undefined ? `Wait ${retryAfter} s, then try again.` : ADVICE[status]
}
