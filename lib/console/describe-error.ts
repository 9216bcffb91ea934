interface ServiceError {
  message: string
  status?: number
  requestId?: string
}

const isServiceError = (error: unknown): error is ServiceError =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'

/** The service's own sentence, with the request's id where somebody would have to look it up. */
export function describeError(error: unknown): string {
  if (!isServiceError(error)) return 'Something went wrong'
  return error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`
}
