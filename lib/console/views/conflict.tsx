import { useState } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { isSource, REASONS, SKIP_EFFECTS, SOURCE_NAMES, STATES } from '../conflicts/conflict-words.ts'
import { Entry } from '../conflicts/entry.tsx'
import { fromSubject } from '../conflicts/facts.ts'
import { type ConflictFilter, readConflictFilter, toFilterSuffix } from '../conflicts/filter.ts'
import { FindAnotherGame } from '../conflicts/find-another-game.tsx'
import { holdDecision, isDecidedHere } from '../conflicts/hold-decision.ts'
import { type ConflictOption, listOptions } from '../conflicts/list-options.ts'
import { Options } from '../conflicts/options.tsx'
import { type OpenConflict, useConflict } from '../conflicts/use-conflict.ts'
import { formatNumber } from '../format.ts'
import { useReviewKeys } from '../hooks/use-page-keys.ts'
import { usePlatforms } from '../names.ts'
import { notify } from '../notices.ts'
import { Alert, Badge, Busy, Button, EmptyPage, ExternalLink, Page, Problem, Time } from '../parts/basics.tsx'
import { linkTo, open, type ViewProps } from '../route.ts'
import { attempt, hall, isSignedIn } from '../session.ts'

const toList = (source: Source, filter: ConflictFilter) =>
  `#/conflicts${toFilterSuffix(filter) || toFilterSuffix({ source })}`

function describeDecision({ item, decidedMeanwhile }: Pick<OpenConflict, 'decidedMeanwhile'> & { item: ConflictItem }) {
  const state = decidedMeanwhile?.state ?? item.state
  if (state === 'waiting') return undefined
  const by = decidedMeanwhile?.decidedBy ?? item.decidedBy
  if (by === null && item.isAutomatic) return 'Decided automatically'
  return by === null ? 'Already decided' : `Already decided by ${by}`
}

interface ReviewProps extends OpenConflict {
  item: ConflictItem
  filter: ConflictFilter
}

function Review({ live, item, filter, decidedMeanwhile, findNext }: ReviewProps) {
  const { source, externalId, subject, failure, remaining, reason } = item
  const platforms = usePlatforms()
  const toName = (id: string) => platforms.find(({ _id }) => _id === id)?.name ?? '…'
  const facts = subject ? fromSubject(subject, toName) : undefined
  const options = listOptions(item, toName)
  const selectable = options.filter(({ isDeleted }) => !isDeleted)
  const [picked, setPicked] = useState<string>()
  const [isReopening, setReopening] = useState(false)
  const chosen = selectable.find(({ id }) => id === picked) ?? selectable[0]
  const title = subject?.name ?? externalId
  const isHeld = isDecidedHere(item)
  const decided = describeDecision({ item, decidedMeanwhile })
  const mayDecide = decided === undefined && !isHeld
  const hasPlayTime = [facts, ...options.map((option) => option.facts)].some((side) => side?.playTime)
  const isAutomaticMatch = item.isAutomatic && item.state === 'matched'
  const isSkipped = (decidedMeanwhile?.state ?? item.state) === 'new-game'

  async function decide(option: ConflictOption | null) {
    if (!mayDecide || !isSignedIn()) return
    const id = option?.id ?? null
    holdDecision({
      source,
      externalId,
      title,
      what: option === null ? 'Skip' : `Match with ${option.facts.title}`,
      choice: item.direction === 'entries' ? { entryId: id } : { gameId: id },
    })
    await openNext()
  }

  async function openNext() {
    const next = await findNext()
    if (next === null) {
      notify('No other conflict of this list is waiting')
      return open(toList(source, filter))
    }
    const { page: _, ...rest } = filter
    const suffix = toFilterSuffix({ ...rest, ...(next.page && { page: next.page }) })
    open(linkTo('conflicts', next.source, next.externalId) + suffix)
  }

  async function reopen() {
    setReopening(true)
    await attempt(hall.call('POST /conflicts/:source/:externalId/reopen', { params: { source, externalId } }))
    setReopening(false)
    live.refresh()
  }

  function step(by: 1 | -1) {
    const index = selectable.findIndex(({ id }) => id === chosen?.id)
    setPicked(selectable[Math.min(Math.max(index + by, 0), selectable.length - 1)]?.id)
  }
  useReviewKeys((key) => {
    const actions: Record<string, () => void> = {
      ArrowUp: () => step(-1),
      ArrowDown: () => step(1),
      ArrowRight: () => void (mayDecide ? chosen && decide(chosen) : openNext()),
      ArrowLeft: () => void decide(null),
    }
    const numbered = /^[1-9]$/.test(key) ? options[Number(key) - 1] : undefined
    return numbered && !numbered.isDeleted ? () => setPicked(numbered.id) : actions[key]
  })

  return (
    <Page
      title={title}
      lead={
        <>
          <a href={toList(source, filter)}>{SOURCE_NAMES[source]}</a> · {formatNumber(remaining)} waiting
          {reason && ` · ${REASONS[reason]}`}
        </>
      }
      actions={
        item.direction === 'games' && (
          <FindAnotherGame
            item={item}
            disabled={!mayDecide}
            onAdded={(gameId) => {
              setPicked(gameId)
              live.refresh()
            }}
          />
        )
      }
    >
      {failure && (
        <Alert title="The last decision was sent back">
          <Time at={failure.at} />: {failure.message}
        </Alert>
      )}
      <div class="split review">
        <Entry item={item} facts={facts} hasPlayTime={hasPlayTime} />
        <Options
          item={item}
          options={options}
          subject={facts}
          hasPlayTime={hasPlayTime}
          chosen={chosen?.id}
          onChoose={setPicked}
        />
      </div>
      <div class="bar stack tight">
        <p role="status" class={decided ? 'row flag warn' : 'hidden'}>
          {decided && <strong>{decided}</strong>}
          {decided && item.state !== 'waiting' && <Badge name={STATES[item.state].name} />}
          {item.isAutomatic && <Badge name="automatic" />}
        </p>
        {isHeld && <p class="muted">Your decision waits in the Outbox.</p>}
        <div class="row">
          <Button disabled={!mayDecide} onClick={() => decide(null)} aria-describedby="skip-effect" text="Skip" />
          <Button
            class="primary"
            disabled={!mayDecide || chosen === undefined}
            onClick={() => chosen && void decide(chosen)}
            text="Match"
          />
          {((isSkipped && item.direction === 'games') || isAutomaticMatch) && (
            <Button disabled={isReopening} onClick={reopen} text="Reopen" />
          )}
          {decided && (
            <a
              class="button"
              href={item.nextExternalId ? linkTo('conflicts', source, item.nextExternalId) : toList(source, filter)}
              onClick={(event) => {
                event.preventDefault()
                void openNext()
              }}
            >
              Next
            </a>
          )}
          {chosen?.address && <ExternalLink href={chosen.address}>Open {chosen.facts.title}</ExternalLink>}
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
  const filter = readConflictFilter()
  const found = useConflict(source, externalId, filter)
  const { item, error, live } = found
  const name = `${SOURCE_NAMES[source]} ${externalId}`

  if (item) return <Review key={`${item.source}/${item.externalId}`} {...found} item={item} filter={filter} />
  if (item === null) {
    return (
      <EmptyPage title={name} text="Conflict not found.">
        <a href={toList(source, filter)}>All of {SOURCE_NAMES[source]}</a>
      </EmptyPage>
    )
  }
  return <Page title={name}>{error ? <Problem error={error} onRetry={live.refresh} /> : <Busy />}</Page>
}

export function ConflictView({ source, externalId = '' }: ViewProps) {
  if (isSource(source)) return <Conflict source={source} externalId={externalId} />
  return (
    <EmptyPage title="Source not found" text="The address names an unknown source.">
      <a href="#/conflicts">All conflicts</a>
    </EmptyPage>
  )
}
