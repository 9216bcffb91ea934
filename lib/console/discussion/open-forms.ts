import { computed, signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Comment } from '../../contract/comments.ts'
import type { CommentStatusChanged } from '../../contract/namespaces/comments.ts'
import { useConnection } from '../parts/query.tsx'

export interface OpenForm {
  about: string
  /** `reply/<id of the thread>` or `edit/<id of the comment>`: each shows one form. */
  slot: string
  /** The replied-to or edited comment in its last readable version. */
  comment: Comment
  isRemoved: boolean
  isFocused: boolean
  /** The component that draws the form; undefined where none can, because the list no longer has the comment. */
  place: object | undefined
}

const openForms = signal<readonly OpenForm[]>([])

/** Forms whose comment has left the list: deleted, hidden, or not on the first page of another sort. */
export const strayForms = computed(() => openForms.value.filter(({ place }) => place === undefined))

export function closeForm(slot: string): void {
  openForms.value = openForms.peek().filter((other) => other.slot !== slot)
}

function changeForms(isMeant: (form: OpenForm) => boolean, changes: Partial<OpenForm>): void {
  const forms = openForms.peek()
  if (forms.some(isMeant)) openForms.value = forms.map((form) => (isMeant(form) ? { ...form, ...changes } : form))
}

/** Takes a change of status into the forms about a comment, which may have left the list. */
const applyStatus = ({ commentId, status }: CommentStatusChanged) =>
  changeForms(({ comment }) => comment._id === commentId, { isRemoved: status !== 'visible' })

/** Keeps the open forms of a view until it is left or shows another discussion. The view must draw `StrayForms`. */
export function useForms(discussion: string): void {
  useLayoutEffect(() => {
    openForms.value = []
    return () => {
      openForms.value = []
    }
  }, [discussion])
  useConnection('/comments', (socket) => void socket.on('comment:status', applyStatus))
}

export const toFormId = (about: string): string => `form-${about}`

const hasFocus = (about: string) => document.getElementById(toFormId(about))?.contains(document.activeElement) ?? false

/** Answers the open form of a slot if this component draws the form, and the functions that open and update it. */
export function useOpenForm(slot: string) {
  const [place] = useState({})
  const found = useMemo(() => computed(() => openForms.value.find((other) => other.slot === slot)), [slot]).value

  useLayoutEffect(() => {
    if (found?.place === undefined) changeForms((form) => form === found, { place })
  }, [found])
  useLayoutEffect(
    () => () => {
      const left = openForms.peek().find((form) => form.place === place)
      if (left) changeForms((form) => form === left, { place: undefined, isFocused: hasFocus(left.about) })
    },
    [],
  )

  return {
    form: found?.place === place ? found : undefined,
    open(form: Pick<OpenForm, 'about' | 'comment' | 'isFocused'>) {
      // The comment may be shown twice, so a resumed draft leaves the form where it is open already.
      if (!form.isFocused && openForms.peek().some((other) => other.slot === slot)) return
      closeForm(slot)
      openForms.value = [...openForms.peek(), { ...form, slot, place, isRemoved: false }]
    },
    /** Takes a newer version of the comment, which can be read. */
    update: (comment: Comment) => changeForms((form) => form === found, { comment, isRemoved: false }),
  }
}
