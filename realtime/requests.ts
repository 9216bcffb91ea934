import type { z } from 'zod'
import { DomainError } from '../lib/base/errors.ts'
import type { Deps } from '../lib/deps.ts'
import { isAnswerLost } from '../lib/infrastructure/db/is-database-unreachable.ts'
import type { RequestHandling, ServedSocket } from './define-namespace.ts'
import { beginRequest } from './user-sockets.ts'

type Reply = (answer: unknown) => void

const isAck = (value: unknown): value is Reply => typeof value === 'function'
const ignoreReply = () => {}
const refuse = (error: string) => ({ ok: false, error })

/**
 * Makes the listener of one request, the same for all sockets: it validates, works, and answers through the ack if the
 * client asked for one. Nothing that a client sends, and no fault of the service, gets past it.
 */
export function createListener(deps: Deps, event: string, schema: z.ZodType, handling: RequestHandling) {
  const { handle, refusal, failure } = handling

  function fail(error: unknown) {
    if (!(error instanceof DomainError) && !isAnswerLost(error)) {
      deps.log.error({ err: error, event }, 'a socket request failed')
    }
    return refuse(failure)
  }

  async function answer(socket: ServedSocket, payload: unknown, reply: Reply): Promise<void> {
    const end = beginRequest(socket, payload)
    if (end === null) return
    const begunAt = performance.now()
    let answered: unknown
    try {
      answered = await handle({ payload, socket, deps })
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(begunAt)
      answered = fail(error)
    }
    end()
    reply(answered)
  }

  // Neither async nor with a closure: a request that waits would keep the arguments as they came.
  return function listen(this: ServedSocket, ...args: unknown[]): void {
    // Only an ack arrives as a function. JSON has no undefined: a payload left out in front of an ack arrives as null.
    const [payload] = args
    const last = args.at(-1)
    const reply = isAck(last) ? last : ignoreReply
    try {
      const parsed = schema.safeParse(typeof payload === 'function' ? undefined : (payload ?? undefined))
      if (parsed.success) void answer(this, parsed.data, reply)
      else reply(refuse(refusal ?? parsed.error.issues[0]?.message ?? failure))
    } catch (error) {
      reply(fail(error))
    }
  }
}
