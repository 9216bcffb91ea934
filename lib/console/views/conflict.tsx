import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { type ConflictOption, listOptions, OptionRow } from '../conflicts/conflict-option.tsx'
import { REASONS, SKIP_EFFECTS, STATES } from '../conflicts/conflict-words.ts'
import { FactRows } from '../conflicts/fact-rows.tsx'
import { type Facts, fromSubject } from '../conflicts/facts.ts'
import { readConflictFilter, toFilterSuffix } from '../conflicts/filter.ts'
import { FindAnotherGame } from '../conflicts/find-another-game.tsx'
import { hold, isDecidedHere } from '../conflicts/outbox.ts'
import { isSource, SOURCE_NAMES } from '../conflicts/source-names.ts'
import { findNext, type OpenConflict, useConflict } from '../conflicts/use-conflict.ts'
import { useDecisionKeys } from '../conflicts/use-decision-keys.ts'
import { type ApiError, hall } from '../hall.ts'
import { notify } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { Cover } from '../parts/cover.tsx'
import { Empty } from '../parts/empty.tsx'
import { ExternalLink } from '../parts/external-link.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import { usePlatforms } from '../proposal/use-platforms.ts'
import { request } from '../request.ts'
import type { ViewProps } from '../route.ts'
import { linkTo, open, route } from '../route.ts'
import { isSignedIn } from '../session.ts'

/** The list that the review began in, or that of the source. */
function toList(source: Source): string {
  const suffix = toFilterSuffix(readConflictFilter(route.value.query))
  return `#/conflicts${suffix || toFilterSuffix({ source })}`
}

function toLength(minutes: number): string {
  const hours = Math.round(minutes / 6) / 10
  return hours < 1 ? `${minutes} min` : `${hours} h`
}

function SubjectCover({ subject, name }: { subject: ConflictItem['subject']; name: string }) {
  const [isShown, setShown] = useState(false)
  if (subject?.cover && subject.isExplicitCover && !isShown) {
    return (
      <button type="button" class="small" onClick={() => setShown(true)}>
        Show explicit cover
      </button>
    )
  }
  return <Cover src={subject?.cover} name={name} />
}

function Entry({ item, facts }: { item: ConflictItem; facts: Facts | undefined }) {
  const { subject, source, externalId } = item
  const name = subject?.name ?? externalId
  const extra = subject?.lengthMinutes ? [{ name: 'Length', value: toLength(subject.lengthMinutes) }] : []

  return (
    <section class="entry panel" aria-label="Entry">
      <div class="entry-head">
        <SubjectCover subject={subject} name={name} />
        <div>
          <p class="facts">
            {item.direction === 'entries' ? 'Game of the catalogue' : `${SOURCE_NAMES[source]} ${externalId}`}
          </p>
          {subject?.url && (
            <ExternalLink href={subject.url}>
              {item.direction === 'entries' ? 'Open its page' : `Open at ${SOURCE_NAMES[source]}`}
            </ExternalLink>
          )}
        </div>
      </div>
      {facts ? (
        <FactRows facts={facts} extra={extra} />
      ) : (
        <p class="muted">Nothing is known of this entry but its id. Its source may have removed it.</p>
      )}
    </section>
  )
}

interface OptionsProps {
  item: ConflictItem
  options: readonly ConflictOption[]
  subject: Facts | undefined
  chosen: string | undefined
  onChoose(id: string): void
}

function Options({ item, options, subject, chosen, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  const label = item.direction === 'entries' ? 'Entries' : 'Candidates'

  const first = useRef(chosen)
  useLayoutEffect(() => {
    // A review begins at its top, with the entry.
    if (chosen === first.current) return
    first.current = undefined
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  if (options.length === 0) {
    return (
      <Empty title={item.direction === 'entries' ? 'No entry is left.' : 'No game is like this entry.'}>
        {item.direction === 'entries' ? 'Skip it.' : 'Find one by its name below, or skip the entry.'}
      </Empty>
    )
  }
  return (
    <div
      ref={list}
      role="listbox"
      class="option-list"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={chosen === undefined ? undefined : `option-${chosen}`}
    >
      {options.map((option) => (
        <OptionRow
          key={option.id}
          elementId={`option-${option.id}`}
          option={option}
          subject={subject}
          isChosen={option.id === chosen}
          onChoose={() => onChoose(option.id)}
        />
      ))}
    </div>
  )
}

/** The decider of a conflict, where known; undefined while it waits. */
function describeDecision({ item, decidedMeanwhile }: Pick<OpenConflict, 'decidedMeanwhile'> & { item: ConflictItem }) {
  const state = decidedMeanwhile?.state ?? item.state
  if (state === 'waiting') return undefined
  const by = decidedMeanwhile?.decidedBy ?? item.decidedBy
  return by === null ? 'Already decided' : `Already decided by ${by}`
}

function Review({ live, item, decidedMeanwhile }: OpenConflict & { item: ConflictItem }) {
  const { source, externalId, subject, failure, remaining, reason } = item
  const platforms = usePlatforms()
  const toName = (id: string) => platforms.find(({ _id }) => _id === id)?.name ?? '…'
  const facts = subject ? fromSubject(subject, toName) : undefined
  const options = listOptions(item, toName)
  const selectable = options.filter(({ isDeleted }) => !isDeleted)
  const [picked, setPicked] = useState<string>()
  const [isReopening, setReopening] = useState(false)
  const [error, setError] = useState<ApiError>()
  const chosen = selectable.find(({ id }) => id === picked) ?? selectable[0]
  const title = subject?.name ?? externalId
  const isHeld = isDecidedHere(item)
  const decided = describeDecision({ item, decidedMeanwhile })
  const mayDecide = decided === undefined && !isHeld
  const filter = readConflictFilter(route.value.query)
  const isFiltered = filter.state !== undefined || filter.search !== undefined
  const isSkipped = (decidedMeanwhile?.state ?? item.state) === 'new-game'

  async function decide(option: ConflictOption | null) {
    if (!mayDecide || !isSignedIn()) return
    const id = option?.id ?? null
    hold({
      source,
      externalId,
      title,
      what: option === null ? 'Skip' : `Match with ${option.name}`,
      choice: item.direction === 'entries' ? { entryId: id } : { gameId: id },
    })
    await openNext()
  }

  async function openNext() {
    const next = await findNext(item, filter)
    if (next === null) notify('No other conflict of this list is waiting')
    open(next === null ? toList(source) : linkTo('conflicts', next.source, next.externalId) + toFilterSuffix(filter))
  }

  async function reopen() {
    setReopening(true)
    const answer = await request(
      hall.call('POST /conflicts/:source/:externalId/reopen', { params: { source, externalId } }),
    )
    setReopening(false)
    setError(answer.ok ? undefined : answer.error)
    live.refresh()
  }

  useDecisionKeys({
    step(by) {
      const index = selectable.findIndex(({ id }) => id === chosen?.id)
      setPicked(selectable[Math.min(Math.max(index + by, 0), selectable.length - 1)]?.id)
    },
    choose(number) {
      const option = options[number - 1]
      if (option && !option.isDeleted) setPicked(option.id)
    },
    match: () => void (mayDecide ? chosen && decide(chosen) : openNext()),
    skip: () => void decide(null),
  })

  return (
    <Page
      title={title}
      lead={
        <>
          <a href={toList(source)}>{SOURCE_NAMES[source]}</a> · {remaining} waiting
          {reason && ` · ${REASONS[reason]}`}
        </>
      }
    >
      {failure && (
        <div class="problem" role="alert">
          <p>
            <strong>
              The last decision came back <Time at={failure.at} />:
            </strong>{' '}
            {failure.message}
          </p>
        </div>
      )}
      <div class="review">
        <Entry item={item} facts={facts} />
        <div class="stack review-options">
          <Options item={item} options={options} subject={facts} chosen={chosen?.id} onChoose={setPicked} />
          {item.direction === 'games' && (
            <FindAnotherGame
              item={item}
              disabled={!mayDecide}
              onAdded={(gameId) => {
                setPicked(gameId)
                live.refresh()
              }}
            />
          )}
        </div>
      </div>
      <div class="review-actions">
        {error && <Problem error={error} />}
        <p role="status" class={decided ? 'decided' : 'hidden'}>
          {decided && <span>{decided}</span>}
          {decided && item.state !== 'waiting' && <span class="badge">{STATES[item.state].name}</span>}
        </p>
        {isHeld && <p class="muted">Your decision waits in the Outbox.</p>}
        <div class="actions">
          <button type="button" disabled={!mayDecide} onClick={() => void decide(null)} aria-describedby="skip-effect">
            Skip
          </button>
          <button
            type="button"
            class="primary"
            disabled={!mayDecide || chosen === undefined}
            onClick={() => chosen && void decide(chosen)}
          >
            Match
          </button>
          {isSkipped && item.direction === 'games' && (
            <button type="button" disabled={isReopening} onClick={() => void reopen()}>
              Reopen
            </button>
          )}
          {decided && (isFiltered || item.nextExternalId !== null) && (
            <a
              class="button"
              href={linkTo('conflicts', source, item.nextExternalId ?? externalId) + toFilterSuffix(filter)}
              onClick={(event) => {
                if (!isFiltered) return
                event.preventDefault()
                void openNext()
              }}
            >
              Next
            </a>
          )}
          {chosen?.address && <ExternalLink href={chosen.address}>Open {chosen.name}</ExternalLink>}
        </div>
        <p class="hint">
          <span id="skip-effect">{SKIP_EFFECTS[source]}</span>{' '}
          {isSkipped && item.direction === 'entries' && 'A skip of HLTB cannot be reopened. '}
          <span class="keys">
            <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>1</kbd> to <kbd>9</kbd> choose, <kbd>→</kbd> match, <kbd>←</kbd> skip
          </span>
        </p>
      </div>
    </Page>
  )
}

function Conflict({ source, externalId }: { source: Source; externalId: string }) {
  const found = useConflict(source, externalId)
  const { item, error, live } = found
  const name = `${SOURCE_NAMES[source]} ${externalId}`

  if (item) return <Review key={item.externalId} {...found} item={item} />
  if (item === null) {
    return (
      <Page title={name}>
        <Empty icon="search" title="There is no such conflict.">
          <a href={toList(source)}>All of {SOURCE_NAMES[source]}</a>
        </Empty>
      </Page>
    )
  }
  return (
    <Page title={name}>
      {error ? <Problem error={error} onRetry={live.refresh} /> : <Busy label="Loading the conflict …" />}
    </Page>
  )
}

/** A conflict with everything that it is decided on. */
export function ConflictView({ source, externalId = '' }: ViewProps) {
  if (isSource(source)) return <Conflict source={source} externalId={externalId} />
  return (
    <Page title="There is no such source">
      <Empty icon="search" title="The address names a source that is not known.">
        <a href="#/conflicts">All conflicts</a>
      </Empty>
    </Page>
  )
}
