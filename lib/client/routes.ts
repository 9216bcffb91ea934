import type { Functions } from '#functions'
import type { Content, Endpoint, RefusalStatuses } from '../contract/endpoint.ts'

/** Every endpoint of the service, by method and path: `PUT /comments/:id/like`. */
export type Route = keyof Functions

type Wire<E> =
  E extends Endpoint<infer A, infer P, infer Q, infer B, infer R, infer C>
    ? { auth: A; params: P; query: Q; body: B; answer: R; errors: C }
    : never
type WireOf<R extends Route> = Wire<Functions[R]>

type Method<R extends string> = R extends `${infer M} ${string}` ? M : never

/** Numbers are text in a query string, so the schemas take text where a number is meant. */
type Query<Q> = { [K in keyof Q]: string extends Q[K] ? Q[K] | number : Q[K] }

type Required<K extends string, T> = { [Key in K]: T }
type Part<K extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? Partial<Required<K, T>>
    : Required<K, T>

interface CallOptions {
  signal?: AbortSignal
  /** Maximum number of attempts of a GET on temporary refusals; 4 by default. Another request is sent once. */
  attempts?: number
  headers?: Record<string, string>
}

export type CallInput<R extends Route> = Part<'params', WireOf<R>['params']> &
  Part<'query', Query<WireOf<R>['query']>> &
  Part<'body', WireOf<R>['body']> &
  CallOptions

/** The input may be left out where nothing in it is required. */
export type CallArguments<R extends Route> =
  Record<never, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>]

/** The answer of an endpoint: its JSON, or the whole `Response` where it answers something else. */
export type Answer<R extends Route> = WireOf<R>['answer'] extends Content ? Response : WireOf<R>['answer']

type Implied<W extends { auth: unknown; params: unknown; query: unknown; body: unknown }, M> =
  | (W['params'] | W['query'] | W['body'] extends undefined ? never : 400)
  | (W['auth'] extends 'user' | 'admin' | 'key' ? 401 : never)
  | (W['auth'] extends 'admin' | 'key' ? 403 : never)
  | ('key' extends W['auth'] ? 429 : never)
  | (W['params'] extends undefined ? never : 404)
  | (M extends 'GET' ? never : 403 | 413 | 429)
  | (M extends 'GET' ? never : W['auth'] extends 'public' | 'key' ? never : 409)
  | (W['body'] extends undefined ? never : 415)

/** The statuses that an endpoint may refuse with; 0 when no answer came at all. */
export type RefusalStatus<R extends Route> =
  | RefusalStatuses[WireOf<R>['errors'] & keyof RefusalStatuses]
  | Implied<WireOf<R>, Method<R>>
  | 0
  | 431
  | 500
  | 503
