import { createStorage } from '../client/storage.ts'

const KEY = 'gamehall-tab'
const LOCK = 'gamehall-tab-'
/** Time that a reloaded page waits for the lock of the page before it. */
const LOCK_WAIT_MS = 2_000

const storage = createStorage(() => sessionStorage)
const createId = () => Math.random().toString(36).slice(2)
let id = storage.getItem(KEY) ?? createId()

export const tabId = (): string => id

/** Holds the lock of an id while the page is open. Answers false when another page holds it. */
const holdLock = (tab: string) =>
  new Promise<boolean>((resolve) => {
    const hold = () => {
      resolve(true)
      return new Promise(() => {})
    }
    // Browsers lack locks without https, and refuse them with blocked cookies.
    const refuse = (error: unknown) => resolve(!(error instanceof Error && error.name === 'TimeoutError'))
    if (!navigator.locks) resolve(true)
    else navigator.locks.request(LOCK + tab, { signal: AbortSignal.timeout(LOCK_WAIT_MS) }, hold).catch(refuse)
  })

/** Keeps the earlier id of the tab. A duplicated tab has the id of the other tab, so it takes a new one. */
export async function beginTab(): Promise<void> {
  if (!(await holdLock(id))) {
    id = createId()
    await holdLock(id)
  }
  storage.setItem(KEY, id)
}

/** Lists the ids of the open tabs; this tab alone when the browser has no locks. */
export async function listOpenTabs(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query().catch(() => undefined)
  return new Set([id, ...(locks?.held ?? []).map(({ name = '' }) => name.slice(LOCK.length))])
}
