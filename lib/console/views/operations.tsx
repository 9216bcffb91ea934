import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Operations, OperationsSample, SourceState } from '../../contract/measurements.ts'
import { SOURCE_NAMES } from '../conflicts/source-names.ts'
import { formatClock, formatNumber } from '../format.ts'
import type { ApiError } from '../hall.ts'
import { Plot } from '../operations/plot.tsx'
import { type Health, useHealth } from '../operations/use-health.ts'
import { Busy } from '../parts/busy.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Table } from '../parts/table.tsx'
import { useNow } from '../use-now.ts'
import { useQuery } from '../use-query.ts'

const EVERY_MS = 5_000
const OLD_MS = 15_000
const MB = 1024 * 1024
const AGAIN = 'It is asked again every few seconds.'

const toRate = (value: number) => `${formatNumber(value)} a second`
const toMs = (value: number | null) => (value === null ? 'none' : `${formatNumber(value)} ms`)
const toMb = (bytes: number) => `${Math.round(bytes / MB)} MB`

function toUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`
}

function describeSource({ state, until }: SourceState): string {
  return state === 'paused' && until !== null ? `paused until ${formatClock(until)}` : state
}

const OUTAGES: Readonly<Record<Exclude<Health, 'ready' | 'unknown'>, string>> = {
  'no-database': 'The database does not answer.',
  unreachable: 'The service does not answer.',
}

/** What is wrong: an outage, or numbers that are old. */
function Trouble({ health, heardAt, error }: { health: Health; heardAt: number; error: ApiError | undefined }) {
  const age = useNow(1_000) - heardAt
  const isOld = heardAt > 0 && age > OLD_MS
  const outage = health === 'ready' || health === 'unknown' ? undefined : OUTAGES[health]
  if (!isOld && outage === undefined) return error ? <Problem error={error} advice={AGAIN} /> : null
  return (
    <div class="problem" role="alert">
      <p>
        {outage && <strong>{outage}</strong>}{' '}
        {isOld && <strong>These numbers are {Math.round(age / 1_000)} s old.</strong>} {AGAIN}
      </p>
    </div>
  )
}

const Figure = ({ name, children, look }: { name: string; children: ComponentChildren; look?: string }) => (
  <div class="figure" data-look={look}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const HEALTH: Readonly<Record<Health, { words: string; look: string }>> = {
  unknown: { words: 'asked …', look: '' },
  ready: { words: 'ready', look: 'good' },
  'no-database': { words: 'not reached', look: 'bad' },
  unreachable: { words: 'not known', look: 'bad' },
}

function Figures({ snapshot, health }: { snapshot: Operations; health: Health }) {
  const { version, uptimeSeconds, memoryBytes, heapUsedBytes, eventLoopDelayMs, sockets } = snapshot
  return (
    <dl class="figures">
      <Figure name="Database" look={HEALTH[health].look}>
        {HEALTH[health].words}
      </Figure>
      <Figure name="Version">{version}</Figure>
      <Figure name="Uptime">{toUptime(uptimeSeconds)}</Figure>
      <Figure name="Memory">
        {toMb(memoryBytes)} <span class="facts">heap {toMb(heapUsedBytes)}</span>
      </Figure>
      <Figure name="Event-loop delay">{toMs(eventLoopDelayMs)}</Figure>
      <Figure name="Open sockets">{sockets.reduce((sum, { open }) => sum + open, 0)}</Figure>
    </dl>
  )
}

function Plots({ snapshot }: { snapshot: Operations }) {
  const { at, history } = snapshot
  const samples = useMemo(() => (history.at(-1)?.at === at ? history : [...history, snapshot]), [snapshot])
  const times = useMemo(() => samples.map((sample) => Date.parse(sample.at) / 1_000), [samples])
  const line = (read: (sample: OperationsSample) => number | null) => samples.map(read)
  const { requestsPerSecond, p95Ms, eventsPerSecond, eventLoopDelayMs, memoryBytes } = snapshot
  const { refusalsPerSecond, errorsPerSecond } = snapshot

  return (
    <div class="plots">
      <Plot
        title="Requests"
        value={toRate(requestsPerSecond)}
        times={times}
        lines={[line((each) => each.requestsPerSecond)]}
      />
      <Plot title="95 of 100 within" value={toMs(p95Ms)} times={times} lines={[line((each) => each.p95Ms)]} />
      <Plot
        title="Events"
        value={toRate(eventsPerSecond)}
        times={times}
        lines={[line((each) => each.eventsPerSecond)]}
      />
      <Plot
        title="Refusals and errors"
        value={`${formatNumber(refusalsPerSecond)} and ${formatNumber(errorsPerSecond)} a second`}
        times={times}
        lines={[line((each) => each.refusalsPerSecond), line((each) => each.errorsPerSecond)]}
        legend={['refusals', 'errors']}
      />
      <Plot
        title="Event-loop delay"
        value={toMs(eventLoopDelayMs)}
        times={times}
        lines={[line((each) => each.eventLoopDelayMs)]}
      />
      <Plot title="Memory" value={toMb(memoryBytes)} times={times} lines={[line((each) => each.memoryBytes / MB)]} />
    </div>
  )
}

function Tables({ snapshot }: { snapshot: Operations }) {
  const { sockets, routes, events, queuedDecisions, approvals, sources } = snapshot
  return (
    <div class="operations-tables">
      <section aria-label="Routes">
        <h2>Requests by route</h2>
        {routes.length === 0 ? (
          <p class="muted">No request in the last seconds.</p>
        ) : (
          <Table
            name="Routes"
            columns={[
              { name: 'Route', cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
              { name: 'A second', isNumber: true, cell: (row) => formatNumber(row.requestsPerSecond) },
              { name: 'p95', isNumber: true, cell: (row) => toMs(row.p95Ms) },
            ]}
            rows={routes}
            rowKey={({ method, route }) => `${method} ${route}`}
          />
        )}
      </section>
      <section aria-label="Events">
        <h2>Events</h2>
        {events.length === 0 ? (
          <p class="muted">No event in the last seconds.</p>
        ) : (
          <Table
            name="Events"
            columns={[
              { name: 'Event', cell: ({ event }) => <code>{event}</code> },
              { name: 'A second', isNumber: true, cell: (row) => formatNumber(row.perSecond) },
            ]}
            rows={events}
            rowKey={({ event }) => event}
          />
        )}
      </section>
      <section aria-label="Open sockets">
        <h2>Open sockets</h2>
        {sockets.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <Table
            name="Open sockets"
            columns={[
              { name: 'Namespace', cell: ({ namespace }) => <code>{namespace}</code> },
              { name: 'Open', isNumber: true, cell: ({ open }) => open },
            ]}
            rows={sockets}
            rowKey={({ namespace }) => namespace}
          />
        )}
      </section>
      <section aria-label="Sources">
        <h2>Sources and decisions queued for them</h2>
        <Table
          name="Sources"
          columns={[
            { name: 'Source', cell: ({ source }) => SOURCE_NAMES[source] },
            {
              name: 'State',
              cell: (source) => (
                <span class={`badge ${source.state === 'on' ? 'good' : source.state === 'paused' ? 'warn' : ''}`}>
                  {describeSource(source)}
                </span>
              ),
            },
            {
              name: 'Queued',
              isNumber: true,
              cell: ({ source }) => queuedDecisions?.find((each) => each.source === source)?.queued ?? 'not known',
            },
          ]}
          rows={sources}
          rowKey={({ source }) => source}
        />
      </section>
      <section aria-label="Approvals">
        <h2>Approvals since the start</h2>
        {approvals.length === 0 ? (
          <p class="muted">None yet.</p>
        ) : (
          <Table
            name="Approvals"
            columns={[
              { name: 'Result', cell: ({ result }) => result },
              { name: 'Count', isNumber: true, cell: ({ total }) => total },
            ]}
            rows={approvals}
            rowKey={({ result }) => result}
          />
        )}
      </section>
    </div>
  )
}

/** How the service is doing: numbers and plots of one snapshot. */
export function OperationsView() {
  // The clocks of the service and of the browser may differ.
  const [heardAt, setHeardAt] = useState(0)
  const health = useHealth()
  const { answer: snapshot, error } = useQuery(
    'GET /operations',
    { attempts: 1 },
    { everyMs: EVERY_MS, onAnswer: () => setHeardAt(Date.now()) },
  )

  return (
    <Page
      title="Operations"
      lead={snapshot ? `This instance, as of ${formatClock(snapshot.at)}` : 'How this instance is doing.'}
    >
      <Trouble health={health} heardAt={heardAt} error={error} />
      {snapshot === undefined && !error && <Busy label="Loading the snapshot …" />}
      {snapshot && (
        <div class="stack operations">
          <Figures snapshot={snapshot} health={health} />
          <Plots snapshot={snapshot} />
          <Tables snapshot={snapshot} />
        </div>
      )}
    </Page>
  )
}
