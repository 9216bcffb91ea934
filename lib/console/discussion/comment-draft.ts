import { readDraft } from '../drafts.ts'

export interface CommentDraft {
  text: string
  isSpoiler: boolean
}

/** Text about a game, to answer a comment or to edit one. */
export function readCommentDraft(about: string): CommentDraft | undefined {
  const stored = readDraft(about)
  if (stored === undefined || !('text' in stored) || typeof stored.text !== 'string') return undefined
  return { text: stored.text, isSpoiler: 'isSpoiler' in stored && stored.isSpoiler === true }
}
