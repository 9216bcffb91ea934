import type { z } from 'zod'
import { isAnswerLost } from '../lib/db/is-database-unreachable.ts'
import type { Deps } from '../lib/deps.ts'
import { DomainError } from '../lib/errors.ts'
import { disconnect, REQUESTS_MAX } from './bounds.ts'
import type { RequestHandling, ServedSocket } from './define-namespace.ts'

const refuse = (error: string) => ({ ok: false, error })

interface Request {
  event: string
  payload: z.ZodType
  handling: RequestHandling
}

/**
 * Makes the listener of one request, the same for all sockets: it validates, works, and answers through the ack if the
 * client asked for one. Nothing that a client sends, and no fault of the service, gets past it.
 */
export function createListener(deps: Deps, { event, payload: schema, handling }: Request) {
  async function answer(socket: ServedSocket, payload: unknown): Promise<unknown> {
    const { handle, refusal, failure } = handling
    const begunAt = performance.now()
    try {
      const parsed = schema.safeParse(payload)
      if (!parsed.success) return refuse(refusal ?? parsed.error.issues[0]?.message ?? failure)
      return await handle({ payload: parsed.data, socket, deps })
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
      else if (!(error instanceof DomainError)) {
        deps.log.error({ err: error, event }, 'a socket request failed')
      }
      return refuse(failure)
    }
  }

  return async function listen(this: ServedSocket, ...args: unknown[]): Promise<void> {
    const { data, conn } = this
    const underWay = (data.requests ?? 0) + 1
    if (underWay > REQUESTS_MAX) return disconnect(conn)
    data.requests = underWay

    // Only an ack arrives as a function. JSON has no undefined: a payload left out in front of an ack arrives as null.
    const [payload] = args
    const ack = args.at(-1)
    const reply = await answer(this, typeof payload === 'function' ? undefined : (payload ?? undefined))
    data.requests -= 1
    if (typeof ack === 'function') ack(reply)
  }
}
