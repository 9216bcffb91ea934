interface ServiceError {
  message: string
  status?: number
  requestId?: string
  retryAfter?: number
}

const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'

/** The service's own sentence, with the request's id where there is one to look up in the log. */
export function describeError(error: unknown): string {
  if (!isServiceError(error)) return 'Something went wrong'
  return error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`
}

/** Advice on what to do about a refusal; undefined where its sentence is enough. */
export function adviseOn(error: unknown): string | undefined {
  if (!isServiceError(error)) return undefined
  const { status, retryAfter } = error
  if (status === 0) return 'Check the connection, then try again.'
  if (status === 401) return 'Sign in, then try again.'
  if (status === 409) return 'It has changed meanwhile. Look at it as it stands now.'
  if (status === 429) {
    return retryAfter === undefined ? 'Wait a little, then try again.' : `Wait ${retryAfter} s, then try again.`
  }
  if (status === 503) return 'Nothing was changed. Try again in a moment.'
  return undefined
}
