import { signal } from '@preact/signals'
import { ApiError } from '../client/index.ts'
import { onReconnect } from './connection.ts'
import { describeError } from './describe-error.ts'

export interface Notice {
  id: number
  text: string
  isError: boolean
  /** True when the notice is removed once the service is reached again. */
  isTemporary: boolean
}

/** Duration of a notice. Errors stay until they are dismissed. */
const STAYS_MS = 8_000

/** Statuses of a service that cannot be reached; 0 is a lost connection. */
const OUTAGES = new Set([0, 502, 503, 504])

export const notices = signal<readonly Notice[]>([])
let lastId = 0

/** The last result for screen readers alone, because the view itself shows the result. */
export const announcement = signal('')
export const announce = (text: string): void => {
  announcement.value = text
}

export function dismissNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

onReconnect(() => {
  notices.value = notices.value.filter(({ isTemporary }) => !isTemporary)
})

function add(text: string, isError: boolean, isTemporary = false): number {
  const id = ++lastId
  notices.value = [...notices.value.filter((notice) => notice.text !== text), { id, text, isError, isTemporary }]
  if (!isError) setTimeout(() => dismissNotice(id), STAYS_MS)
  return id
}

export const notify = (text: string): void => void add(text, false)

export const notifyError = (error: unknown): number =>
  add(describeError(error), true, error instanceof ApiError && OUTAGES.has(error.status))
