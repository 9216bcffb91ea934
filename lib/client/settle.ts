import { ApiError } from './api-error.ts'

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
