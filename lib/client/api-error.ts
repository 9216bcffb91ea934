import type { ErrorBody } from '../contract/errors.ts'

/** The service refused a request, or could not be reached (`status` 0). `message` is a sentence for a person. */
export class ApiError<S extends number = number> extends Error {
  override readonly name = 'ApiError'
  readonly status: S
  /** The whole body, with the `duplicates` of a 409; null when the answer was no JSON. */
  readonly body: ErrorBody | null
  /** Seconds until another attempt makes sense, where the service says so. */
  readonly retryAfter: number | undefined

  constructor(status: S, message: string, facts: Partial<Pick<ApiError, 'body' | 'retryAfter' | 'cause'>> = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.status = status
    this.body = facts.body ?? null
    this.retryAfter = facts.retryAfter
  }

  /** True when a change may have been made: its answer was lost, or the service failed. */
  get mayHaveArrived(): boolean {
    return this.status === 0 || this.status >= 500
  }

  get issues(): readonly { path: string; message: string }[] {
    return this.body?.issues ?? []
  }

  /** The id of the request in the service's log, on 5xx answers. */
  get requestId(): string | undefined {
    return this.body?.requestId
  }
}

export const lostConnection = (cause: unknown): ApiError<0> =>
  new ApiError(0, 'The service cannot be reached', { cause })

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'

export async function readApiError(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => null)
  const body = isErrorBody(answer) ? answer : null
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const message = body?.message ?? (response.statusText || `The service answered ${response.status}`)
  return new ApiError(response.status, message, { body, retryAfter: Number.isFinite(seconds) ? seconds : undefined })
}

/** A promise that says by its type which errors it may be refused with. */
export interface Refusable<T, S extends number> extends Promise<T> {
  readonly '~status'?: S
}

export type Settled<T, S extends number> = { ok: true; value: T } | { ok: false; error: ApiError<S> }

/** Turns a refusal into a value, so that its status can be switched on. Other errors, an abort among them, stay thrown. */
export async function settle<T, S extends number>(promise: Refusable<T, S>): Promise<Settled<T, S>> {
  try {
    return { ok: true, value: await promise }
  } catch (error) {
    // The type of the promise says which statuses its endpoint declares.
    if (error instanceof ApiError) return { ok: false, error: error as ApiError<S> }
    throw error
  }
}
