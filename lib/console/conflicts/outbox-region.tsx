import { adviseOn, describeError } from '../describe-error.ts'
import { linkTo, open } from '../route.ts'
import { useNow } from '../use-now.ts'
import { dismiss, type HeldDecision, outbox, send, undo } from './outbox.ts'
import { SOURCE_NAMES } from './source-names.ts'

/** Refusals that say that nothing came of it, so that it may be sent again. */
const MAY_REPEAT = new Set([401, 403, 429, 500, 502, 503])

const ADVICE: Readonly<Record<number, string>> = {
  0: 'It may have arrived. Look at the conflict before you decide again.',
  409: 'Go on with the next one.',
}

function Held({ held, now }: { held: HeldDecision; now: number }) {
  const { key, source, externalId, title, what, state, sendAt, error } = held
  const address = linkTo('conflicts', source, externalId)
  const status = Number(error?.status ?? 0)

  return (
    <li class={state === 'refused' ? 'refused' : undefined}>
      <p>
        <strong>{what}</strong>
        <span class="facts">
          {' '}
          {title}, {SOURCE_NAMES[source]}
        </span>
      </p>
      {state === 'refused' && (
        <p class="refusal" role="alert">
          {describeError(error)}. {ADVICE[status] ?? adviseOn(error)}
        </p>
      )}
      <div class="actions">
        {state === 'held' && (
          <>
            <span class="facts">sent in {Math.max(0, Math.ceil((sendAt - now) / 1_000))} s</span>
            <button
              type="button"
              class="small"
              aria-describedby={`outbox-${key}`}
              onClick={() => {
                if (undo(key)) open(address)
              }}
            >
              Undo
            </button>
            <span class="hidden" id={`outbox-${key}`}>
              {what}, {title}
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
            {MAY_REPEAT.has(status) && (
              <button type="button" class="small" onClick={() => void send(key)}>
                Send again
              </button>
            )}
            <a href={address}>Look at it</a>
            <button type="button" class="small quiet" onClick={() => dismiss(key)}>
              Dismiss
            </button>
          </>
        )}
      </div>
    </li>
  )
}

/** The decisions that can still be taken back. It stays while other views are opened. */
export function Outbox() {
  const held = outbox.value
  const now = useNow(250, held.length > 0)
  const newest = held.findLast(({ state }) => state === 'held')

  return (
    <>
      <p class="hidden" aria-live="polite">
        {newest && `${newest.what}: can be taken back for 5 seconds in the Outbox`}
      </p>
      {held.length > 0 && (
        <section class="outbox" aria-label="Outbox">
          <h2>Outbox</h2>
          <ul class="outbox-list">
            {held.map((each) => (
              <Held key={each.key} held={each} now={now} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
