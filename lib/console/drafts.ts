import { createStorage } from '../client/storage.ts'
import { viewer } from './session.ts'
import { beginTab, listOpenTabs, tabId } from './tab.ts'

const PREFIX = 'gamehall-draft-'
const KEY = /^gamehall-draft-(\w+)-(\w+)-(.*)$/s
const AGE_MAX_MS = 30 * 24 * 60 * 60_000
/** Length of all drafts together: 1 MB, since a browser stores two bytes a character. */
const LENGTH_MAX = 500_000

const storage = createStorage(() => localStorage, LENGTH_MAX)
const toUserPrefix = (userId: string | null) => `${PREFIX}${userId ?? 'guest'}-`
const toKey = (about: string, userId = viewer.peek()) => `${toUserPrefix(userId)}${tabId()}-${about}`

export function readDraft(about: string): object | undefined {
  try {
    const text = storage.getItem(toKey(about)) ?? ''
    const stored: unknown = JSON.parse(text.slice(text.indexOf(' ')))
    return typeof stored === 'object' && stored !== null ? stored : undefined
  } catch {
    // Another program may have stored text under the same key.
    return undefined
  }
}

export function keepDraft(about: string, draft: object): void {
  // The time stands before the text, so that ageing parses no draft.
  storage.setItem(toKey(about), `${Date.now()} ${JSON.stringify(draft)}`)
  dropOldDrafts()
}

export function dropDraft(about: string): void {
  storage.removeItem(toKey(about))
}

const listDrafts = () =>
  storage
    .keys()
    .flatMap((key) => {
      const [, user, tab = '', about = ''] = KEY.exec(key) ?? []
      const text = storage.getItem(key) ?? ''
      return user === undefined ? [] : [{ key, user, tab, about, at: Number.parseInt(text, 10), length: text.length }]
    })
    .toSorted((a, b) => b.at - a.at)

function dropOldDrafts(): void {
  const oldest = Date.now() - AGE_MAX_MS
  let total = 0
  for (const { key, at, length } of listDrafts()) {
    // The storage keeps a longer text in memory alone.
    if (length <= LENGTH_MAX) total += length
    const isYoung = at >= oldest
    if (!isYoung || total > LENGTH_MAX) storage.removeItem(key)
  }
}

function move(from: string, to: string): void {
  const text = storage.getItem(from)
  if (text === null || storage.getItem(to) !== null) return
  storage.removeItem(from)
  storage.setItem(to, text)
}

/** Takes over the drafts of closed tabs, before a form reads a draft. A tab writes and drops only its own drafts. */
export async function beginDrafts(): Promise<void> {
  await beginTab()
  dropOldDrafts()
  const open = await listOpenTabs()
  for (const { key, user, tab, about } of listDrafts())
    if (!open.has(tab)) move(key, `${PREFIX}${user}-${tabId()}-${about}`)
}

function handOverGuestDrafts(next: string): void {
  for (const { key, user, tab, about } of listDrafts()) {
    if (user !== 'guest' || tab !== tabId()) continue
    const to = toKey(about, next)
    // The earlier text waits, as the draft of a closed tab, until this one is sent.
    move(to, `${toUserPrefix(next)}${tabId()}0-${about}`)
    move(key, to)
  }
}

// A guest who signs in continues to write, and a user who signs out leaves nothing behind.
let writer = viewer.peek()
viewer.subscribe((next) => {
  if (writer === next) return
  if (writer === null && next !== null) handOverGuestDrafts(next)
  if (next === null) for (const key of storage.keys()) if (key.startsWith(toUserPrefix(writer))) storage.removeItem(key)
  writer = next
})
