import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { announcement, dismissNotice, notices } from '../notices.ts'
import { restorePageTop } from '../page-scroll.ts'
import { Icon } from '../parts/icon.tsx'
import { outbox } from './outbox.ts'
import { Outbox } from './outbox-region.tsx'

/** Open dialogs: the page below a dialog is inert. */
const dialogs = signal<readonly object[]>([])

const Notices = () => (
  <section aria-label="Notices" aria-live="polite">
    {notices.value.map(({ id, text, isError }) => (
      <div key={id} class={isError ? 'flag row bad' : 'flag row'}>
        <p>{text}</p>
        <button type="button" class="quiet icon-only" aria-label="Dismiss" onClick={() => dismissNotice(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </section>
)

/** The row at the lower edge. The page shrinks and scrolls above it, so the row covers nothing. */
function Row() {
  const isOpen = outbox.value.length + notices.value.length > 0
  useLayoutEffect(restorePageTop, [isOpen])

  return (
    <div class={isOpen ? 'shelf open' : 'shelf'}>
      <p class="hidden" aria-live="polite">
        {announcement.value}
      </p>
      <Outbox />
      <Notices />
    </div>
  )
}

/** The row in the page, as long as no dialog is open. */
export const Shelf = () => (dialogs.value.length === 0 ? <Row /> : null)

/** The row in a dialog, as long as no other is open above it. */
export function DialogShelf() {
  const [own] = useState({})
  useEffect(() => {
    dialogs.value = [...dialogs.peek(), own]
    return () => {
      dialogs.value = dialogs.peek().filter((each) => each !== own)
    }
  }, [])
  return dialogs.value.at(-1) === own ? <Row /> : null
}
