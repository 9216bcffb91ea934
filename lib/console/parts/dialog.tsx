import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { DialogShelf } from '../outbox/shelf.tsx'
import { IconButton } from './basics.tsx'

interface DialogProps {
  title: string
  isWide?: boolean
  /** Called by the close button, Escape and the backdrop; the caller then removes the dialog. */
  onClose(): void
  children: ComponentChildren
}

type Field = HTMLInputElement | HTMLTextAreaElement

/** True when the user has changed a field. A text area converts line ends, and a browser may fill in a password. */
const isTyped = (field: Field) =>
  field.value !== field.defaultValue.replace(/\r\n?/g, '\n') && !field.matches(':autofill')

/** A modal dialog, open as long as it is rendered. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // A later effect would leave a moment in which keys act on the page below.
  useLayoutEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    // The first field takes the focus, because the close button would by default.
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        // A click beside the dialog closes it, except where it would lose typed text.
        const fields = event.currentTarget.querySelectorAll<Field>('input, textarea')
        if (event.target === event.currentTarget && ![...fields].some(isTyped)) onClose()
      }}
    >
      <div class="dialog-body stack">
        <header class="row nowrap spread">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
      <DialogShelf />
    </dialog>
  )
}
