import type { Server, ServerResponse } from 'node:http'
import { addressKey } from '../limits/address-key.ts'
import type { Logger } from '../observability/log.ts'
import { type AddressOptions, findClientAddress } from './client-address.ts'

interface UnreadAnswersOptions extends AddressOptions {
  log: Logger
  /** A client is disconnected when no byte of its answer left for so long. */
  timeoutMs: number
}

/** The bound on one address, all its answers together. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024
/** Disconnecting makes room for many answers, so that not each of them looks through all. */
const LOW_BYTES = (UNREAD_MAX_BYTES * 7) / 8
const SWEEP_MS = 1_000

/** The answers of one address. */
interface OpenAnswers {
  /** Their unread bytes when they were last looked at, the oldest first. */
  seen: Map<ServerResponse, number>
  /** The sum: at least what is unread now of all answers that were seen. */
  bytes: number
}

/**
 * Bounds the memory that answers take whose clients do not read them. Bytes beyond the bound cost the oldest answers of that
 * address their connection.
 */
export function boundUnreadAnswers(http: Server, { log, timeoutMs, trustProxy }: UnreadAnswersOptions): void {
  const open = new Map<string, OpenAnswers>()
  const timed = new WeakSet<ServerResponse>()

  function see(answers: OpenAnswers, answer: ServerResponse, bytes: number): void {
    answers.bytes += bytes - (answers.seen.get(answer) ?? 0)
    answers.seen.set(answer, bytes)
  }

  /** The socket's timer starts again whenever some bytes leave; the server closes the connection when it runs out. */
  function startTimer(answer: ServerResponse): void {
    if (answer.writableLength === 0 || timed.has(answer)) return
    timed.add(answer)
    answer.socket?.setTimeout(timeoutMs)
  }

  function disconnectOldest(address: string, answers: OpenAnswers): void {
    for (const answer of answers.seen.keys()) see(answers, answer, answer.writableLength)
    if (answers.bytes <= UNREAD_MAX_BYTES) return
    for (const [answer, bytes] of answers.seen) {
      if (answers.bytes <= LOW_BYTES) return
      if (bytes === 0) continue
      see(answers, answer, 0)
      log.warn({ address, bytes }, 'a client that did not read its answer was disconnected')
      answer.destroy()
    }
  }

  http.prependListener('request', (request, answer) => {
    const address = addressKey(findClientAddress(request, { trustProxy }))
    const answers = open.get(address) ?? { seen: new Map(), bytes: 0 }
    open.set(address, answers)
    see(answers, answer, 0)
    // All that the answer will have is queued now; streams have their own back-pressure, and the sweep.
    answer.once('prefinish', () => {
      // An answer whose client has left ends after its close.
      if (!answers.seen.has(answer)) return
      startTimer(answer)
      see(answers, answer, answer.writableLength)
      if (answers.bytes > UNREAD_MAX_BYTES) disconnectOldest(address, answers)
    })
    answer.once('close', () => {
      see(answers, answer, 0)
      answers.seen.delete(answer)
      if (answers.seen.size === 0 && open.get(address) === answers) open.delete(address)
    })
  })
  const sweep = setInterval(() => {
    for (const [address, answers] of open) {
      for (const answer of answers.seen.keys()) startTimer(answer)
      disconnectOldest(address, answers)
    }
  }, SWEEP_MS)
  sweep.unref()
  http.once('close', () => clearInterval(sweep))
}
