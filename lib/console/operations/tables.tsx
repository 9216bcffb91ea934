import type { Operations, SourceState } from '../../contract/measurements.ts'
import { SOURCE_NAMES } from '../conflicts/source-names.ts'
import { formatClock, formatNumber } from '../format.ts'
import { Table } from '../parts/table.tsx'
import { toMs } from './units.ts'

function describeSource({ state, until }: SourceState): string {
  return state === 'paused' && until !== null ? `paused until ${formatClock(until)}` : state
}

/** The snapshot by route, event, namespace, source and result. */
export function Tables({ snapshot }: { snapshot: Operations }) {
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
