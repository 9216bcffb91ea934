/** The statuses of refusals by their codes. */
export const REFUSAL_STATUSES = {
  INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  BAD_GATEWAY: 502,
  UNAVAILABLE: 503,
} as const
export type RefusalStatuses = typeof REFUSAL_STATUSES

export interface Content {
  readonly '~content': true
}

/** The types of an endpoint for its callers, and the codes of its refusals that do not follow from the rest. */
export interface Endpoint<Auth, Params, Query, Body, Answer, Errors> {
  readonly '~wire'?: { auth: Auth; params: Params; query: Query; body: Body; answer: Answer; errors: Errors }
}
