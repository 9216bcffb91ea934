import type { z } from 'zod'
import type { ErrorCode } from '../../base/errors.ts'
import type { Content, Endpoint } from '../../contract/endpoint.ts'
import type { Actor } from '../../domain/auth/actor.ts'
import type { SessionUser } from '../../domain/auth/session-user.ts'
import type { LimitName } from '../../infrastructure/limits/rate-limits.ts'
import type { Conditions } from './file-answer.ts'
import type { FunctionDeps } from './function-deps.ts'
import type { SessionCookies } from './session-cookies.ts'

/** `public` reads no session; `optional` takes one where there is one; the others refuse without it. */
export type Auth = 'public' | 'optional' | 'user' | 'admin'

type CallActor<A extends Auth> = A extends 'user' | 'admin' ? Actor : undefined
type CallUser<A extends Auth> = A extends 'public' ? undefined : A extends 'optional' ? SessionUser | null : SessionUser

/** Parts of a request that an endpoint is given only when its `inject` names them, since the documentation lists them. */
export interface Injected {
  /** The token of an `Authorization: Bearer` header, for programs. People have the session. */
  bearerToken: string | undefined
  /** For files, see `file-answer.ts`. */
  conditions: Conditions
  acceptEncoding: string | undefined
}

/** The input of an endpoint: validated parts of the request, its user, and everything that it may use. */
interface Call<A extends Auth, P, Q, B> {
  params: P
  query: Q
  body: B
  /** The user who changes something; for verbs that write. */
  actor: CallActor<A>
  /** The user who reads; for verbs that only read. */
  viewer: CallUser<A>
  /** The same as `viewer`, until every endpoint names `actor` or `viewer`. */
  user: CallUser<A>
  /** The `x-request-id` of the answer, which log lines carry. */
  requestId: string
  /** The client's address as far as `TRUST_PROXY` believes it. */
  address: string
  /** Whether the request comes from this machine, through no proxy that says for whom. */
  isLocal: boolean
  cookies: SessionCookies
  deps: FunctionDeps
}

/** `PI`, `QI` and `BI` are what is sent, `P`, `Q` and `B` what it was parsed to. */
interface BaseDefinition<A extends Auth, P, Q, B, PI, QI, BI, E extends ErrorCode, T extends keyof Injected> {
  /** A sentence in the imperative, without its full stop. */
  summary: string
  /** Further facts for callers, in whole sentences. */
  description?: string
  auth: A
  inject?: readonly T[]
  /** True when its event is not sent to the actor's own socket: the documentation lists the `x-socket-id` header. */
  excludesSender?: true
  params?: z.ZodType<P, PI>
  query?: z.ZodType<Q, QI>
  body?: z.ZodType<B, BI>
  /** A size of `BODY_MAX_BYTES`, where the body may be smaller or larger than the usual. */
  maxBodyBytes?: number
  /** How long its work may take, in milliseconds, where it does more than read and write the database. */
  timeoutMs?: number
  /** Refusals beyond those that follow from `auth`, `limit` and the schemas. */
  errors: readonly E[]
}

type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<T[K]> } : T

/** Refuses keys that the response schema does not have. */
type Exact<W, R> = W extends readonly unknown[]
  ? unknown
  : W extends object
    ? { [K in Exclude<keyof W, R extends unknown ? keyof R : never>]: never }
    : unknown

interface JsonDefinition<
  A extends Auth,
  P,
  Q,
  B,
  PI,
  QI,
  BI,
  E extends ErrorCode,
  L extends LimitName,
  T extends keyof Injected,
  O,
  R,
  W,
> extends BaseDefinition<A, P, Q, B, PI, QI, BI, E, T> {
  /** Counted for the signed-in user once the input is valid; implies RATE_LIMITED. */
  limit?: A extends 'user' | 'admin' ? L : never
  /** Answered one at a time for the signed-in user, until sent: where large answers side by side would fill the memory. */
  isSerial?: A extends 'user' | 'admin' ? true : never
  status?: 201
  response: z.ZodType<O, R>
  handle(call: Call<A, P, Q, B> & Pick<Injected, T>): Promise<W & Exact<W, R>>
}

interface ContentDefinition<A extends Auth, P, Q, B, PI, QI, BI, E extends ErrorCode, T extends keyof Injected>
  extends BaseDefinition<A, P, Q, B, PI, QI, BI, E, T> {
  /** The media types of its answers, for the documentation. */
  content: readonly string[]
  handle(call: Call<A, P, Q, B> & Pick<Injected, T>): Promise<Response>
}

/** An endpoint as data. The types of its parts were held against each other where it was defined. */
export interface FunctionDefinition
  extends BaseDefinition<Auth, unknown, unknown, unknown, unknown, unknown, unknown, ErrorCode, keyof Injected> {
  limit?: LimitName
  isSerial?: true
  status?: 201 | undefined
  response?: z.ZodType
  content?: readonly string[]
  handle(call: never): Promise<unknown>
}

const definitions = new WeakSet<object>()

export const isFunctionDefinition = (value: unknown): value is FunctionDefinition =>
  typeof value === 'object' && value !== null && definitions.has(value)

function define(definition: FunctionDefinition): object {
  definitions.add(definition)
  return Object.freeze(definition)
}

/** Defines an endpoint that answers JSON; the file's path and suffix are its route and method. */
export function defineFunction<
  A extends Auth,
  O,
  R,
  const W extends Wire<R>,
  P = undefined,
  Q = undefined,
  B = undefined,
  PI = undefined,
  QI = undefined,
  BI = undefined,
  E extends ErrorCode = never,
  L extends LimitName = never,
  T extends keyof Injected = never,
>(
  facts: JsonDefinition<A, P, Q, B, PI, QI, BI, E, L, T, O, R, W>,
): Endpoint<A, PI, QI, BI, O, E | ([L] extends [never] ? never : 'RATE_LIMITED')> {
  return define(facts)
}

/** Defines an endpoint that answers something else than JSON, as a `Response` of its own making. */
export function defineContent<
  A extends Auth,
  P = undefined,
  Q = undefined,
  B = undefined,
  PI = undefined,
  QI = undefined,
  BI = undefined,
  E extends ErrorCode = never,
  T extends keyof Injected = never,
>(facts: ContentDefinition<A, P, Q, B, PI, QI, BI, E, T>): Endpoint<A, PI, QI, BI, Content, E> {
  return define(facts)
}
