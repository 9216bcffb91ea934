import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { formatClock, formatNumber } from '../format.ts'
import { notify } from '../notices.ts'
import { Badge, Button, Page, Time } from '../parts/basics.tsx'
import { type Columns, Table } from '../parts/list.tsx'
import { Loaded, reload, useQuery } from '../parts/query.tsx'
import { attempt, hall, isSignedIn } from '../session.ts'

type Sync = Answer<'GET /sync'>['results'][number]

const EVERY_MS = 5_000

const OUTCOMES = [
  ['matched', 'good'],
  ['new', 'good'],
  ['refreshed', 'good'],
  ['unchanged', ''],
  ['waiting', 'warn'],
  ['refused', 'bad'],
] as const

function Bar({ sync }: { sync: Sync }) {
  const words = OUTCOMES.map(([outcome]) => `${formatNumber(sync[outcome])} ${outcome}`).join(', ')
  let end = 0
  return (
    <svg class="shares" role="img" aria-label={words} viewBox="0 0 100 8" preserveAspectRatio="none">
      {OUTCOMES.map(([outcome, look]) => {
        const width = (100 * sync[outcome]) / Math.max(1, sync.read)
        end += width
        return <rect key={outcome} class={look} x={end - width} width={width} height="8" />
      })}
    </svg>
  )
}

const LOOKS = { idle: '', running: 'good', paused: 'warn' } as const

function LastResult({ sync: { isOn, state, startedAt, finishedAt, nextAt, message } }: { sync: Sync }) {
  if (startedAt === null) return <>{isOn ? 'Never read, due now' : 'Never read'}</>
  const endedAt = state === 'idle' ? finishedAt : null
  return (
    <div class="stack tight">
      {message !== null && <span>{message}</span>}
      <span>
        {endedAt === null ? 'Started' : 'Ended'} <Time at={endedAt ?? startedAt} />
        {nextAt !== null && `, next at ${formatClock(nextAt)}`}
      </span>
    </div>
  )
}

function StartOrStop({ sync: { source, isOn, state } }: { sync: Sync }) {
  const [isBusy, setBusy] = useState(false)
  const name = SOURCE_NAMES[source]
  const isIdle = state === 'idle'
  const verb = isIdle ? 'Start' : 'Stop'

  async function change() {
    if (!isSignedIn()) return
    setBusy(true)
    const route = isIdle ? 'POST /sync/:source' : 'DELETE /sync/:source'
    const done = isIdle ? `A walk of ${name} has started` : `The walk of ${name} stops after the page in work`
    if (await attempt(hall.call(route, { params: { source } }))) notify(done)
    setBusy(false)
    await reload('GET /sync')
  }
  if (isIdle && !isOn) return <span class="muted">Not named by SYNC</span>
  return <Button disabled={isBusy} onClick={change} text={verb} aria-label={`${verb} ${name}`} />
}

const COLUMNS: Columns<Sync> = {
  Source: ({ source }) => SOURCE_NAMES[source],
  State: ({ isOn, state }) => <Badge name={isOn || state !== 'idle' ? state : 'off'} look={LOOKS[state]} />,
  Outcomes: (sync) => <Bar sync={sync} />,
  Read: ({ read }) => formatNumber(read),
  Matched: ({ matched }) => formatNumber(matched),
  New: (sync) => formatNumber(sync.new),
  Waiting: ({ waiting }) => formatNumber(waiting),
  Refreshed: ({ refreshed }) => formatNumber(refreshed),
  'Last result': (sync) => <LastResult sync={sync} />,
  Walk: (sync) => <StartOrStop sync={sync} />,
}
const FIGURES = ['Read', 'Matched', 'New', 'Waiting', 'Refreshed']

export function SourcesView() {
  return (
    <Page title="Sources" lead="The sources that the service reads by itself, each with its last walk.">
      <Loaded query={useQuery('GET /sync', {}, { everyMs: EVERY_MS })}>
        {({ results }) => (
          <Table name="Sources" columns={COLUMNS} figures={FIGURES} rows={results} rowKey={({ source }) => source} />
        )}
      </Loaded>
    </Page>
  )
}
