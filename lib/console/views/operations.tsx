import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Operations, SourceState } from '../../contract/measurements.ts'
import { SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { refreshEvery } from '../connection.ts'
import { formatClock, formatDuration, formatMs, formatNumber, MB } from '../format.ts'
import { useNow } from '../hooks/use-now.ts'
import { Plots } from '../operations/plots.tsx'
import { Alert, Badge, Busy, Page, Problem, Section } from '../parts/basics.tsx'
import { Table } from '../parts/list.tsx'
import { useQuery } from '../parts/query.tsx'
import { type ApiError, hall, settle } from '../session.ts'

const describeSource = ({ state, until }: SourceState) =>
  state === 'paused' && until !== null ? `paused until ${formatClock(until)}` : state

const LOOKS: Readonly<Record<string, string>> = { on: 'good', paused: 'warn', ok: 'good', warn: 'warn', fail: 'bad' }

const drawState = (state: string, words = state) => <Badge name={words} look={LOOKS[state] ?? ''} />

type Cells = readonly [first: string, ...others: ComponentChildren[]]

interface FigureTableProps {
  name: string
  columns: readonly [string, ...string[]]
  rows: readonly Cells[]
  isText?: boolean
}

function FigureTable({ name, columns, rows, isText = false }: FigureTableProps) {
  const drawn = columns.map((column, index) => [column, (row: Cells) => row[index]] as const)
  const figures = isText ? [] : columns.slice(1)
  return (
    <Section name={name} isEmpty={rows.length === 0}>
      <Table
        name={name}
        columns={Object.fromEntries(drawn)}
        figures={figures}
        rows={rows}
        rowKey={([first]) => first}
      />
    </Section>
  )
}

function Tables({ snapshot }: { snapshot: Operations }) {
  const { sockets, routes, events, queuedDecisions, approvals, sources } = snapshot
  const countQueued = (source: SourceState['source']) =>
    queuedDecisions?.find((queue) => queue.source === source)?.queued ?? 'unknown'
  return (
    <div class="operations-tables">
      <FigureTable
        name="Routes"
        columns={['Route', 'A second', 'p95']}
        rows={routes.map(({ method, route, requestsPerSecond, p95Ms }) => [
          `${method} ${route}`,
          formatNumber(requestsPerSecond),
          formatMs(p95Ms),
        ])}
      />
      <FigureTable
        name="Events"
        columns={['Event', 'A second']}
        rows={events.map(({ event, perSecond }) => [event, formatNumber(perSecond)])}
      />
      <FigureTable
        name="Open sockets"
        columns={['Namespace', 'Open']}
        rows={sockets.map(({ namespace, open }) => [namespace, open])}
      />
      <FigureTable
        name="Sources"
        columns={['Source', 'State', 'Queued']}
        rows={sources.map((state) => [
          SOURCE_NAMES[state.source],
          drawState(state.state, describeSource(state)),
          countQueued(state.source),
        ])}
      />
      <FigureTable
        name="Approvals"
        columns={['Result', 'Since the start']}
        rows={approvals.map(({ result, total }) => [result, total])}
      />
    </div>
  )
}

type Health = 'unknown' | 'ready' | 'no-database' | 'unreachable'

/** An outage must show within 5 s: both times together are shorter. The service gives up on its database after 2.5 s. */
const HEALTH_EVERY_MS = 1_500
const TIMEOUT_MS = 3_000

async function readHealth(): Promise<Health> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  // `settle` throws a timeout.
  const answer = await settle(hall.call('GET /readyz', { attempts: 1, signal })).catch(() => undefined)
  if (answer?.ok) return 'ready'
  return answer?.error.body ? 'no-database' : 'unreachable'
}

function useHealth(): Health {
  const [health, setHealth] = useState<Health>('unknown')
  useEffect(() => {
    const read = async () => setHealth(await readHealth())
    void read()
    return refreshEvery(HEALTH_EVERY_MS, read)
  }, [])
  return health
}

const EVERY_MS = 5_000
const OLD_MS = 15_000
const AGAIN = 'The page checks again every few seconds.'

const HEALTH: Readonly<Record<Health, { words: string; look: string; outage?: string }>> = {
  unknown: { words: 'checking …', look: '' },
  ready: { words: 'ready', look: 'good' },
  'no-database': { words: 'not reached', look: 'bad', outage: 'The database does not answer.' },
  unreachable: { words: 'unknown', look: 'bad', outage: 'The service does not answer.' },
}

const formatMb = (bytes: number) => `${Math.round(bytes / MB)} MB`

function Trouble({ health, receivedAt, error }: { health: Health; receivedAt: number; error: ApiError | undefined }) {
  const age = useNow(1_000) - receivedAt
  const isOld = receivedAt > 0 && age > OLD_MS
  const { outage } = HEALTH[health]
  if (!isOld && outage === undefined) return error ? <Problem error={error} advice={AGAIN} /> : null
  return (
    <Alert title={outage}>
      {isOld && <strong>These numbers are {Math.round(age / 1_000)} s old.</strong>} {AGAIN}
    </Alert>
  )
}

function Figures({ snapshot, health }: { snapshot: Operations; health: Health }) {
  const { version, uptimeSeconds, memoryBytes, heapUsedBytes, eventLoopDelayMs, sockets } = snapshot
  const { words, look } = HEALTH[health]
  const figures = {
    Version: version,
    Uptime: formatDuration(uptimeSeconds),
    Memory: formatMb(memoryBytes),
    Heap: formatMb(heapUsedBytes),
    'Event-loop delay': formatMs(eventLoopDelayMs),
    'Open sockets': sockets.reduce((sum, { open }) => sum + open, 0),
  }
  return (
    <dl class="grid figures">
      {[['Database', words, look] as const, ...Object.entries(figures)].map(([name, value, look = '']) => (
        <div key={name} class={`panel ${look}`}>
          <dt class="muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function OperationsView() {
  // The clocks of the service and of the browser may differ.
  const [receivedAt, setReceivedAt] = useState(0)
  const health = useHealth()
  const { answer: snapshot, error } = useQuery(
    'GET /operations',
    { attempts: 1 },
    { everyMs: EVERY_MS, onAnswer: () => setReceivedAt(Date.now()) },
  )

  return (
    <Page
      title="Operations"
      lead={snapshot ? `This instance, as of ${formatClock(snapshot.at)}` : 'The state of this instance.'}
    >
      <Trouble health={health} receivedAt={receivedAt} error={error} />
      {snapshot === undefined && !error && <Busy />}
      {snapshot && (
        <div class="stack">
          <Figures snapshot={snapshot} health={health} />
          <Plots snapshot={snapshot} />
          <Tables snapshot={snapshot} />
          <FigureTable
            name="Checks"
            columns={['Check', 'State', 'Finding']}
            rows={snapshot.checks.map(({ check, state, text }) => [check, drawState(state), text])}
            isText
          />
        </div>
      )}
    </Page>
  )
}
