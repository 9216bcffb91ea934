import type { Operations, SourceState } from '../../contract/measurements.ts'
import { SOURCE_NAMES } from '../conflicts/source-names.ts'
import { formatClock, formatNumber } from '../format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { toMs } from './units.ts'

const describeSource = ({ state, until }: SourceState) =>
  state === 'paused' && until !== null ? `paused until ${formatClock(until)}` : state

const LOOKS: Readonly<Record<string, string>> = { on: 'good', paused: 'warn' }

interface PartProps<R> {
  name: string
  title: string
  /** Instead of a table without rows. */
  none?: string
  rows: readonly R[]
  rowKey(row: R): string
  columns: readonly Column<R>[]
}

const Part = <R,>({ title, none, ...table }: PartProps<R>) => (
  <section class="stack tight" aria-label={table.name}>
    <h2>{title}</h2>
    {table.rows.length === 0 ? <p class="muted">{none}</p> : <Table {...table} />}
  </section>
)

/** The snapshot by route, event, namespace, source and result. */
export function Tables({ snapshot }: { snapshot: Operations }) {
  const { sockets, routes, events, queuedDecisions, approvals, sources } = snapshot
  return (
    <div class="operations-tables">
      <Part
        name="Routes"
        title="Requests by route"
        none="No request in the last seconds."
        rows={routes}
        rowKey={({ method, route }) => `${method} ${route}`}
        columns={[
          { name: 'Route', cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
          { name: 'A second', isNumber: true, cell: (row) => formatNumber(row.requestsPerSecond) },
          { name: 'p95', isNumber: true, cell: (row) => toMs(row.p95Ms) },
        ]}
      />
      <Part
        name="Events"
        title="Events"
        none="No event in the last seconds."
        rows={events}
        rowKey={({ event }) => event}
        columns={[
          { name: 'Event', cell: ({ event }) => <code>{event}</code> },
          { name: 'A second', isNumber: true, cell: (row) => formatNumber(row.perSecond) },
        ]}
      />
      <Part
        name="Open sockets"
        title="Open sockets"
        none="None."
        rows={sockets}
        rowKey={({ namespace }) => namespace}
        columns={[
          { name: 'Namespace', cell: ({ namespace }) => <code>{namespace}</code> },
          { name: 'Open', isNumber: true, cell: ({ open }) => open },
        ]}
      />
      <Part
        name="Sources"
        title="Sources and decisions queued for them"
        rows={sources}
        rowKey={({ source }) => source}
        columns={[
          { name: 'Source', cell: ({ source }) => SOURCE_NAMES[source] },
          {
            name: 'State',
            cell: (source) => <span class={`badge ${LOOKS[source.state] ?? ''}`}>{describeSource(source)}</span>,
          },
          {
            name: 'Queued',
            isNumber: true,
            cell: ({ source }) => queuedDecisions?.find((each) => each.source === source)?.queued ?? 'not known',
          },
        ]}
      />
      <Part
        name="Approvals"
        title="Approvals since the start"
        none="None yet."
        rows={approvals}
        rowKey={({ result }) => result}
        columns={[
          { name: 'Result', cell: ({ result }) => result },
          { name: 'Count', isNumber: true, cell: ({ total }) => total },
        ]}
      />
    </div>
  )
}
