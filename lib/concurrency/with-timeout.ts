import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** Waits for work no longer than `timeoutMs`. @throws DomainError UNAVAILABLE when it takes longer */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)), timeoutMs)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
