import type { ComponentChildren } from 'preact'
import type { Operations, SourceState } from '../../contract/measurements.ts'
import { SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { formatClock, formatMs, formatNumber } from '../format.ts'
import { type Column, Table } from '../parts/table.tsx'

const describeSource = ({ state, until }: SourceState) =>
  state === 'paused' && until !== null ? `paused until ${formatClock(until)}` : state

const LOOKS: Readonly<Record<string, string>> = { on: 'good', paused: 'warn' }

type Cells = readonly [first: string, ...others: ComponentChildren[]]

interface SectionProps {
  name: string
  columns: Cells
  rows: readonly Cells[]
}

/** A table under a heading. Each row begins with what it is about; the columns after the first are figures. */
function Section({ name, columns, rows }: SectionProps) {
  const definitions = columns.map(
    (column, index): Column<Cells> => ({
      name: String(column),
      isNumber: index > 0,
      cell: (row) => row[index],
    }),
  )
  return (
    <section class="stack tight" aria-label={name}>
      <h2>{name}</h2>
      {rows.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <Table name={name} columns={definitions} rows={rows} rowKey={([first]) => first} />
      )}
    </section>
  )
}

/** Tables of the snapshot by route, event, namespace, source and result. */
export function Tables({ snapshot }: { snapshot: Operations }) {
  const { sockets, routes, events, queuedDecisions, approvals, sources } = snapshot
  const countQueued = (source: SourceState['source']) =>
    queuedDecisions?.find((each) => each.source === source)?.queued ?? 'not known'
  return (
    <div class="operations-tables">
      <Section
        name="Routes"
        columns={['Route', 'A second', 'p95']}
        rows={routes.map(({ method, route, requestsPerSecond, p95Ms }) => [
          `${method} ${route}`,
          formatNumber(requestsPerSecond),
          formatMs(p95Ms),
        ])}
      />
      <Section
        name="Events"
        columns={['Event', 'A second']}
        rows={events.map(({ event, perSecond }) => [event, formatNumber(perSecond)])}
      />
      <Section
        name="Open sockets"
        columns={['Namespace', 'Open']}
        rows={sockets.map(({ namespace, open }) => [namespace, open])}
      />
      <Section
        name="Sources"
        columns={['Source', 'State', 'Queued']}
        rows={sources.map((state) => [
          SOURCE_NAMES[state.source],
          <span key="state" class={`badge ${LOOKS[state.state] ?? ''}`}>
            {describeSource(state)}
          </span>,
          countQueued(state.source),
        ])}
      />
      <Section
        name="Approvals"
        columns={['Result', 'Since the start']}
        rows={approvals.map(({ result, total }) => [result, total])}
      />
    </div>
  )
}
