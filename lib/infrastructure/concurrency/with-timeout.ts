import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

/** Waits for work until a time in milliseconds or a signal. @throws UNAVAILABLE after the time, the signal's reason */
export function withTimeout<T>(limit: number | AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const isTime = typeof limit === 'number'
    const end = () => reject(isTime ? new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable) : limit.reason)
    const timer = isTime ? setTimeout(end, limit) : undefined
    if (!isTime && limit.aborted) end()
    if (!isTime) limit.addEventListener('abort', end, { once: true })
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      if (!isTime) limit.removeEventListener('abort', end)
    })
  })
}
