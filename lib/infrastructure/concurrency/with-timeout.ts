import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

/** Waits for work no longer than `timeoutMs`. @throws DomainError UNAVAILABLE when it takes longer */
export function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)), timeoutMs)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
