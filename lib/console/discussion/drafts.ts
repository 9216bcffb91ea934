export interface CommentDraft {
  text: string
  isSpoiler: boolean
}

const toKey = (gameId: string) => `gamehall-draft-${gameId}`

/** What was typed about a game and not posted, in this browser. */
export function readDraft(gameId: string): CommentDraft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toKey(gameId)) ?? 'null')
    if (typeof stored === 'object' && stored !== null && 'text' in stored && typeof stored.text === 'string') {
      return { text: stored.text, isSpoiler: 'isSpoiler' in stored && stored.isSpoiler === true }
    }
  } catch {
    // Somebody else's text under the same key is no draft.
  }
  return { text: '', isSpoiler: false }
}

/** Keeps a draft until it is posted. */
export function keepDraft(gameId: string, draft: CommentDraft): void {
  if (draft.text === '') localStorage.removeItem(toKey(gameId))
  else localStorage.setItem(toKey(gameId), JSON.stringify(draft))
}
