import type { Server, ServerResponse } from 'node:http'
import { addressKey } from '../limits/address-key.ts'
import type { Logger } from '../observability/log.ts'
import { type AddressOptions, findClientAddress } from './client-address.ts'

interface UnreadAnswersOptions extends AddressOptions {
  log: Logger
  /** An answer is cut when none of its bytes left for so long. */
  timeoutMs: number
}

/** The bound on one address, all its answers together. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024
const SWEEP_MS = 1_000

const sum = (answers: Iterable<ServerResponse>) =>
  [...answers].reduce((bytes, { writableLength }) => bytes + writableLength, 0)

/**
 * Bounds the memory that answers take whose clients do not read them. Bytes beyond the bound cost the oldest answers of that
 * address their connection.
 */
export function boundUnreadAnswers(http: Server, { log, timeoutMs, trustProxy }: UnreadAnswersOptions): void {
  /** Answers by address, the oldest first. */
  const open = new Map<string, Set<ServerResponse>>()
  const timed = new WeakSet<ServerResponse>()

  function cutOldest(address: string, answers: Set<ServerResponse>): void {
    let bytes = sum(answers)
    for (const answer of answers) {
      if (bytes <= UNREAD_MAX_BYTES) return
      if (answer.writableLength === 0) continue
      bytes -= answer.writableLength
      log.warn({ address, bytes: answer.writableLength }, 'an answer that nobody read was cut')
      answer.destroy()
    }
  }

  /** The socket's timer starts again whenever some bytes leave; the server closes the connection when it runs out. */
  function startTimer(answer: ServerResponse): void {
    if (answer.writableLength === 0 || timed.has(answer)) return
    timed.add(answer)
    answer.socket?.setTimeout(timeoutMs)
  }

  function check(address: string, answers: Set<ServerResponse>): void {
    for (const answer of answers) startTimer(answer)
    cutOldest(address, answers)
  }

  http.prependListener('request', (request, answer) => {
    const address = addressKey(findClientAddress(request, { trustProxy }))
    const answers = open.get(address) ?? new Set()
    open.set(address, answers.add(answer))
    // All that the answer will have is queued now; streams have their own back-pressure, and the sweep.
    answer.once('prefinish', () => check(address, answers))
    answer.once('close', () => {
      answers.delete(answer)
      if (answers.size === 0 && open.get(address) === answers) open.delete(address)
    })
  })
  const sweep = setInterval(() => {
    for (const [address, answers] of open) check(address, answers)
  }, SWEEP_MS)
  sweep.unref()
  http.once('close', () => clearInterval(sweep))
}
