import { viewer } from './session.ts'

const PREFIX = 'gamehall-draft-'
const toUserPrefix = (userId: string | null) => `${PREFIX}${userId ?? 'guest'}-`
const toKey = (about: string) => toUserPrefix(viewer.peek()) + about

/** The draft of this user in this browser, by what it is about; undefined where there is none. */
export function readDraft(about: string): object | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toKey(about)) ?? 'null')
    return typeof stored === 'object' && stored !== null ? stored : undefined
  } catch {
    // Another program may have stored text under the same key.
    return undefined
  }
}

export function keepDraft(about: string, draft: object): void {
  localStorage.setItem(toKey(about), JSON.stringify(draft))
}

export function dropDraft(about: string): void {
  localStorage.removeItem(toKey(about))
}

const listUserKeys = (userId: string | null) =>
  Object.keys(localStorage).filter((key) => key.startsWith(toUserPrefix(userId)))

// A guest who signs in goes on writing, and who signs out leaves nothing behind. After an ended session somebody else may
// sign in: the drafts stay with their writer.
let writer = viewer.peek()
viewer.subscribe((next) => {
  if (writer === next) return
  const isHandedOver = writer === null || next === null
  for (const key of isHandedOver ? listUserKeys(writer) : []) {
    const text = localStorage.getItem(key)
    localStorage.removeItem(key)
    if (next !== null && text !== null)
      localStorage.setItem(toUserPrefix(next) + key.slice(toUserPrefix(writer).length), text)
  }
  writer = next
})
