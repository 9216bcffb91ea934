export interface CommentDraft {
  text: string
  isSpoiler: boolean
}

const toKey = (about: string) => `gamehall-draft-${about}`

/** Text typed in this browser about a game, or to answer a comment, and not posted yet. */
export function readDraft(about: string): CommentDraft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toKey(about)) ?? 'null')
    if (typeof stored === 'object' && stored !== null && 'text' in stored && typeof stored.text === 'string') {
      return { text: stored.text, isSpoiler: 'isSpoiler' in stored && stored.isSpoiler === true }
    }
  } catch {
    // Somebody else's text under the same key is no draft.
  }
  return { text: '', isSpoiler: false }
}

/** Keeps a draft until it is posted. */
export function keepDraft(about: string, draft: CommentDraft): void {
  if (draft.text === '') localStorage.removeItem(toKey(about))
  else localStorage.setItem(toKey(about), JSON.stringify(draft))
}
