import type { z } from 'zod'
import { DomainError } from '../lib/base/errors.ts'
import type { Deps } from '../lib/deps.ts'
import { isAnswerLost } from '../lib/infrastructure/db/is-database-unreachable.ts'
import type { RequestHandling, ServedSocket } from './define-namespace.ts'
import { beginRequest } from './user-sockets.ts'

type Ack = (reply: unknown) => void

const isAck = (value: unknown): value is Ack => typeof value === 'function'
const noAck = () => {}
const refuse = (error: string) => ({ ok: false, error })

/**
 * Creates the listener of one request for all sockets. It validates the payload, runs the handler, and answers through the
 * ack if the client sent one. It catches every error of clients and of the service.
 */
export function createListener(deps: Deps, event: string, schema: z.ZodType, handling: RequestHandling) {
  const { handle, refusal, failure } = handling

  function fail(error: unknown) {
    if (!(error instanceof DomainError) && !isAnswerLost(error)) {
      deps.log.error({ err: error, event }, 'a socket request failed')
    }
    return refuse(failure)
  }

  async function answer(socket: ServedSocket, payload: unknown, ack: Ack): Promise<void> {
    const end = beginRequest(socket, payload)
    if (end === null) return
    const startedAt = performance.now()
    let reply: unknown
    try {
      reply = await handle({ payload, socket, deps })
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(startedAt)
      reply = fail(error)
    }
    end()
    ack(reply)
  }

  // Neither async nor a closure, because a waiting request would keep the raw arguments.
  return function listen(this: ServedSocket, ...args: unknown[]): void {
    // Only an ack arrives as a function. A missing payload before an ack arrives as null, because JSON has no undefined.
    const [payload] = args
    const last = args.at(-1)
    const ack = isAck(last) ? last : noAck
    try {
      const parsed = schema.safeParse(typeof payload === 'function' ? undefined : (payload ?? undefined))
      if (parsed.success) void answer(this, parsed.data, ack)
      else ack(refuse(refusal ?? parsed.error.issues[0]?.message ?? failure))
    } catch (error) {
      ack(fail(error))
    }
  }
}
