import type { CommentDraft } from './drafts.ts'

/** Texts of comments that are being edited in this tab, by the comment: another order of them draws each anew. */
const edits = new Map<string, CommentDraft>()

export const readEdit = (commentId: string): CommentDraft | undefined => edits.get(commentId)

export function keepEdit(commentId: string, draft: CommentDraft): void {
  edits.set(commentId, draft)
}

export function endEdit(commentId: string): void {
  edits.delete(commentId)
}
