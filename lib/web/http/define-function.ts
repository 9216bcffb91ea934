import type { z } from 'zod'
import type { ErrorCode } from '../../base/errors.ts'
import type { JsonBytes } from '../../base/values/json-bytes.ts'
import type { Content, Endpoint } from '../../contract/endpoint.ts'
import type { Actor } from '../../domain/auth/actor.ts'
import type { SessionUser } from '../../domain/auth/session-user.ts'
import type { KeyScope } from '../../infrastructure/db/collections/service-keys.ts'
import type { LimitName } from '../../infrastructure/limits/rate-limits.ts'
import type { FunctionDeps } from './function-deps.ts'
import type { SessionCookies } from './session-cookies.ts'

/** `public` reads no session; `optional` reads it if there is one; `user` and `admin` require one; `key` takes service keys alone. */
type Auth = 'public' | 'optional' | 'user' | 'admin' | 'key'

/** The facts of every endpoint. The schemas determine the types of requests and answers. */
interface BaseFacts {
  /** A sentence in the imperative, without its full stop. */
  summary: string
  /** Further facts for callers, in full sentences. */
  description?: string
  auth: Auth
  /** Answers 404 where the accounts are those of a site. */
  accounts?: 'own'
  /** Admits service keys of this scope: beside the sessions of admins, or alone with `auth: 'key'`. */
  scope?: KeyScope
  /** Admits the changes of suspended users, which are refused by default. */
  suspended?: 'allowed'
  /** True when the endpoint itself checks a bearer token; the documentation lists it. */
  takesBearer?: true
  /** True when its event is not sent to the actor's own socket: the documentation lists the `x-socket-id` header. */
  excludesSender?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** A size of `BODY_MAX_BYTES`, when it differs from the usual one. */
  maxBodyBytes?: number
  /** Time limit of the work in milliseconds, when it does more than read and write the database. */
  timeoutMs?: number
  /** Refusals beyond those that follow from `auth`, `limit` and the schemas; none by default. */
  errors?: readonly ErrorCode[]
}

interface JsonFacts extends BaseFacts {
  /** Counted for the signed-in user once the input is valid; implies RATE_LIMITED. */
  limit?: LimitName
  /** Answers the requests of a user one after another, because many large answers at once would fill the memory. */
  isSerial?: true
  status?: 201
  response: z.ZodType
}

interface ContentFacts extends BaseFacts {
  /** The media types of its answers, for the documentation. */
  content: readonly string[]
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type ListedIn<List> = List extends readonly (infer Item)[] ? Item : never

/** The user of a call. It is undefined where no session is read, and null for a guest and for a service key. */
type Caller<F extends BaseFacts, User> = F['auth'] extends 'public' | 'key'
  ? undefined
  : F extends { auth: 'optional' } | { scope: KeyScope }
    ? User | null
    : User

/** The input of `handle`: validated parts of the request, its user, and everything that an endpoint may use. */
type Call<F extends BaseFacts> = {
  params: Parsed<F['params']>
  query: Parsed<F['query']>
  body: Parsed<F['body']>
  /** The user who changes something; for verbs that write. */
  actor: Caller<F, Actor>
  /** The user who reads; for verbs that only read. */
  viewer: Caller<F, SessionUser>
  /** The `x-request-id` of the answer, which log lines carry. */
  requestId: string
  /** The client's address, according to `TRUST_PROXY`. */
  address: string
  /** True when the request comes from this machine, through no proxy. */
  isLocal: boolean
  /** `GET` or `HEAD` at an endpoint that reads. */
  method: string
  header(name: string): string | undefined
  /** The token of an `Authorization: Bearer` header. */
  bearerToken: string | undefined
  cookies: SessionCookies
  deps: FunctionDeps
}

/** The answer as JSON carries it, also when its lists and objects are read-only. */
type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<T[K]> } : T

/** Refuses keys that the response schema does not have. */
type Exact<Answer, Response> = Answer extends readonly unknown[]
  ? unknown
  : Answer extends object
    ? { [K in Exclude<keyof Answer, Response extends unknown ? keyof Response : never>]: never }
    : unknown

/** A JSON answer, also as bytes that several requests share. */
type JsonAnswer<Answer, Response> = (Answer & Exact<Answer, Response>) | JsonBytes<Answer & Exact<Answer, Response>>

/** Names the facts that contradict `auth`: some need a user in every call, `scope` needs keys, and keys need a scope. */
type Misplaced<F extends BaseFacts> =
  | (Caller<F, Actor> extends Actor ? never : 'limit' | 'isSerial')
  | (F['auth'] extends 'admin' | 'key' ? never : 'scope')
  | (F extends { auth: 'key' } ? (F extends { scope: KeyScope } ? never : 'auth') : never)

/** The facts of a definition, from which `F` is inferred. Refuses unknown and misplaced facts. */
type CheckedFacts<F extends BaseFacts, Facts> = {
  [K in keyof F]: K extends 'handle' | Exclude<keyof Facts, Misplaced<F>> ? F[K] : never
}

type Refusals<F extends BaseFacts> = ListedIn<F['errors']> | (F extends { limit: LimitName } ? 'RATE_LIMITED' : never)

type EndpointOf<F extends BaseFacts, Answer> = Endpoint<
  F['auth'] | (F extends { scope: KeyScope } ? 'key' : never),
  Sent<F['params']>,
  Sent<F['query']>,
  Sent<F['body']>,
  Answer,
  Refusals<F>
>

/** An endpoint as data. `defineFunction` has checked the types of its parts against each other. */
export interface FunctionDefinition extends BaseFacts, Partial<Omit<JsonFacts & ContentFacts, keyof BaseFacts>> {
  errors: readonly ErrorCode[]
  handle(call: never): Promise<unknown>
}

export const isBodyOptional = (body: z.ZodType): boolean => body.safeParse({}).success

const definitions = new WeakSet<object>()

export const isFunctionDefinition = (value: unknown): value is FunctionDefinition =>
  typeof value === 'object' && value !== null && definitions.has(value)

function define(facts: object): object {
  const definition = Object.freeze({ errors: [], ...facts })
  definitions.add(definition)
  return definition
}

/** Defines an endpoint that answers JSON; the file's path and suffix are its route and method. */
export function defineFunction<const F extends JsonFacts, const Answer extends Wire<z.input<F['response']>>>(
  facts: CheckedFacts<F, JsonFacts> & { handle(call: Call<F>): Promise<JsonAnswer<Answer, z.input<F['response']>>> },
): EndpointOf<F, z.output<F['response']>> {
  return define(facts)
}

/** Defines an endpoint that answers other content than JSON, as a `Response`. */
export function defineContent<const F extends ContentFacts>(
  facts: CheckedFacts<F, ContentFacts> & { handle(call: Call<F>): Promise<Response> },
): EndpointOf<F, Content> {
  return define(facts)
}
