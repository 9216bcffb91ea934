import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { isLost } from '../connection.ts'
import { adviseOn, describeError } from '../describe-error.ts'
import { useNow } from '../hooks/use-now.ts'
import { usePageKeys } from '../hooks/use-page-keys.ts'
import { announcement, dismissNotice, notices } from '../notices.ts'
import { restorePageTop } from '../page-scroll.ts'
import { Button, IconButton } from '../parts/basics.tsx'
import { ApiError } from '../session.ts'
import { drop, type HeldAction, outbox, send, undo } from './outbox.ts'

const MAY_HAVE_ARRIVED = 'The change may have been made. Check before you send it again.'

/** Statuses after which a repetition would be refused again. */
const FINAL = new Set([400, 404, 409])

function describeWait({ sendAt }: HeldAction, now: number): string {
  const seconds = Math.max(0, Math.ceil((sendAt - now) / 1_000))
  return seconds === 0 && isLost.value ? 'sent once connected' : `sent in ${seconds} s`
}

function OutboxRow({ held, now }: { held: HeldAction; now: number }) {
  const { key, about, what, address, state, error } = held
  const status = error instanceof ApiError ? Number(error.status) : undefined

  return (
    <li class={state === 'refused' ? 'flag row bad' : 'flag row'}>
      <p>
        <strong>{what}</strong> <span class="facts">{about}</span>
      </p>
      {state === 'refused' && (
        <p class="refusal" role="alert">
          {describeError(error)}. {status === 0 ? MAY_HAVE_ARRIVED : adviseOn(error)}
        </p>
      )}
      <div class="row">
        {state === 'held' && (
          <>
            <span class="facts">{describeWait(held, now)}</span>
            <Button class="small" aria-describedby={`outbox-${key}`} onClick={() => undo(key)} text="Undo" />
            <span class="hidden" id={`outbox-${key}`}>
              {what}, {about}
            </span>
          </>
        )}
        {state === 'sending' && (
          <span class="facts">
            <span class="spinner" aria-hidden="true" /> being sent
          </span>
        )}
        {state === 'refused' && (
          <>
            {(status === undefined || !FINAL.has(status)) && (
              <Button class="small" onClick={() => send(key)} text="Send again" />
            )}
            <a href={address}>Look at it</a>
            <Button class="small quiet" onClick={() => drop(key)} text="Dismiss" />
          </>
        )}
      </div>
    </li>
  )
}

/** The actions that can be undone or were refused, the newest first. It stays while other views are opened. */
function Outbox() {
  const held = outbox.value
  const now = useNow(250, held.length > 0)
  usePageKeys((key) => {
    const newest = held.findLast(({ state }) => state === 'held')
    return newest && key.toLowerCase() === 'u' ? () => undo(newest.key) : undefined
  })

  return held.length === 0 ? null : (
    <section class="outbox" aria-label="Outbox">
      <ul class="outbox-list">
        {held.toReversed().map((action) => (
          <OutboxRow key={action.key} held={action} now={now} />
        ))}
      </ul>
    </section>
  )
}

/** The rows of the open dialogs, the uppermost last. Only that one is drawn, because the page below a dialog is inert. */
const dialogs = signal<readonly object[]>([])

const Notices = () => (
  <section aria-label="Notices" aria-live="polite">
    {notices.value.map(({ id, text, isError }) => (
      <div key={id} class={isError ? 'flag row bad' : 'flag row'}>
        <p>{text}</p>
        <IconButton icon="close" label="Dismiss" onClick={() => dismissNotice(id)} />
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

export const Shelf = () => (dialogs.value.length === 0 ? <Row /> : null)

/** The row in a dialog, as long as no other is open above it. */
export function DialogShelf() {
  const [shelf] = useState({})
  useEffect(() => {
    dialogs.value = [...dialogs.peek(), shelf]
    return () => {
      dialogs.value = dialogs.peek().filter((other) => other !== shelf)
    }
  }, [])
  return dialogs.value.at(-1) === shelf ? <Row /> : null
}
