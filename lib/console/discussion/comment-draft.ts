import { signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { dropDraft, keepDraft, readDraft } from '../drafts.ts'

export interface Content {
  text: string
  isSpoiler: boolean
}

/** A new comment that was sent, and may be stored although its answer was lost. */
export interface SentComment {
  body: string
  /** The time of the newest comment that was shown at that moment. */
  since: string
}

/** The changes typed over the content of a form. A field that was not changed is undefined and shows the newest content. */
interface CommentDraft {
  text?: string | undefined
  isSpoiler?: boolean | undefined
  from: string
  sent?: SentComment | undefined
}

export function readCommentDraft(about: string): CommentDraft | undefined {
  const stored = readDraft(about)
  // This module alone writes drafts with a `from`, so its other fields are those of the type.
  return stored !== undefined && 'from' in stored ? (stored as CommentDraft) : undefined
}

/** Keeps what is typed over the content of a form. The content may change meanwhile; `typed` is newer than the last drawing. */
export function useCommentDraft(about: string, content: Content) {
  const [draft, setDraft] = useState<CommentDraft>(() => readCommentDraft(about) ?? { from: content.text })
  const typed = useRef(draft)

  function keep(next: CommentDraft) {
    typed.current = next
    setDraft(next)
    if (next.text === undefined && next.isSpoiler === undefined) dropDraft(about)
    else keepDraft(about, next)
  }

  return {
    text: draft.text ?? content.text,
    isSpoiler: draft.isSpoiler ?? content.isSpoiler,
    isChangedElsewhere: draft.text !== undefined && draft.from !== content.text,
    typed,
    change(changes: Partial<Content>) {
      const from = typed.current.text === undefined ? content.text : typed.current.from
      const { text, isSpoiler, sent } = { ...typed.current, ...changes }
      keep({
        text: text === from ? undefined : text,
        isSpoiler: isSpoiler === content.isSpoiler ? undefined : isSpoiler,
        from,
        sent,
      })
    },
    recordSent: (sent: CommentDraft['sent']) => keep({ ...typed.current, sent }),
    clear: () => keep({ from: content.text }),
  }
}

export const markdown = signal<typeof import('./markdown.ts') | undefined>(undefined)

/** Loads the Markdown library, when somebody begins to write. */
export async function loadMarkdown() {
  markdown.value ??= await import('./markdown.ts')
  return markdown.value
}
