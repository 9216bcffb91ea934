import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ConflictRow, ConflictState, ConflictSummary } from '../../contract/conflicts.ts'
import type { Source } from '../../contract/sources.ts'
import { REASONS, STATES } from '../conflicts/conflict-words.ts'
import { isSource, SOURCE_NAMES, SOURCES } from '../conflicts/source-names.ts'
import { watchConnection } from '../connection.ts'
import { hall } from '../hall.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { Select } from '../parts/select.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { TextField } from '../parts/text-field.tsx'
import { toPoints } from '../points.ts'
import { linkTo, open, route, setQuery } from '../route.ts'
import { viewer } from '../session.ts'
import { useStore } from '../use-store.ts'

const TAKE = 30
const TYPING_PAUSE_MS = 250
const NO_FILTER = 'all'

const isState = (text: string | null): text is ConflictState => text !== null && Object.hasOwn(STATES, text)

function Best({ row }: { row: ConflictRow }) {
  const [first] = row.candidates
  if (row.winners[0]) return <a href={linkTo('games', row.winners[0].slug)}>{row.winners[0].name}</a>
  if (row.direction === 'entries') {
    return <>{row.entries[0]?.name ?? <span class="muted">none</span>}</>
  }
  if (first === undefined) return <span class="muted">none</span>
  return (
    <>
      {first.name} <span class="facts">{toPoints(first.score)}</span>
      {row.candidates.length > 1 && <span class="facts">, {row.candidates.length - 1} more</span>}
    </>
  )
}

const COLUMNS: readonly Column<ConflictRow>[] = [
  {
    name: 'Entry',
    cell: ({ source, externalId, externalName }) => (
      <a href={linkTo('conflicts', source, externalId)}>{externalName}</a>
    ),
  },
  { name: 'Source', cell: ({ source }) => SOURCE_NAMES[source] },
  { name: 'Why', cell: ({ reason }) => (reason === null ? <span class="muted">not said</span> : REASONS[reason]) },
  { name: 'Likely', cell: (row) => <Best row={row} /> },
  { name: 'State', cell: ({ state }) => <span class={`badge ${STATES[state].look}`}>{STATES[state].name}</span> },
]

const countAll = ({ bySource }: ConflictSummary) => SOURCES.reduce((sum, source) => sum + bySource[source], 0)

type Tab = Source | typeof NO_FILTER

/** The conflicts of all sources, live, and the way into their review. */
export function ConflictsView() {
  const { query } = route.value
  const given = query.get('source')
  const source = isSource(given) ? given : undefined
  const state = query.get('state')
  const filter = { ...(isState(state) && { state }), ...(query.get('search') && { search: query.get('search') ?? '' }) }
  const live = useMemo(() => hall.conflicts(source, { take: TAKE, ...filter }), [source, viewer.value])
  const { status, summary, rows, total, hasMore, error } = useStore(live)
  const [search, setSearch] = useState(filter.search ?? '')

  useEffect(() => {
    const socket = hall.socket('/conflicts')
    const unwatch = watchConnection(socket.connection)
    return () => {
      unwatch()
      socket.close()
      live.close()
    }
  }, [live])

  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = search.trim()
      if (wanted === (filter.search ?? '')) return
      setQuery({ search: wanted })
      live.filter({ ...(filter.state && { state: filter.state }), ...(wanted && { search: wanted }) })
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [search])

  function setState(value: ConflictState | typeof NO_FILTER) {
    setQuery({ state: value === NO_FILTER ? undefined : value })
    live.filter({ ...(value !== NO_FILTER && { state: value }), ...(filter.search && { search: filter.search }) })
  }

  const tabs: { value: Tab; name: string; count: number | undefined }[] = [
    { value: NO_FILTER, name: 'All', count: summary ? countAll(summary) : undefined },
    ...SOURCES.map((each) => ({ value: each, name: SOURCE_NAMES[each], count: summary?.bySource[each] })),
  ]
  const isFiltered = filter.state !== undefined || filter.search !== undefined

  return (
    <Page
      title="Conflicts"
      lead={
        <span role="status">{summary ? `${summary.pending} waiting, ${summary.applying} being written` : ' '}</span>
      }
      actions={
        <button
          type="button"
          class="primary"
          disabled={!summary?.firstSource || summary.firstExternalId === null}
          onClick={() => {
            if (summary?.firstSource && summary.firstExternalId !== null)
              open(linkTo('conflicts', summary.firstSource, summary.firstExternalId))
          }}
        >
          Start review
        </button>
      }
    >
      <Tabs<Tab>
        label="Sources"
        tabs={tabs}
        selected={source ?? NO_FILTER}
        onSelect={(value) => setQuery({ source: value === NO_FILTER ? undefined : value })}
      >
        <div class="filters">
          <Select
            label="State"
            value={filter.state ?? NO_FILTER}
            options={[
              { value: NO_FILTER, name: 'All' },
              // Its keys are those of the type.
              ...(Object.keys(STATES) as ConflictState[]).map((value) => ({ value, name: STATES[value].name })),
            ]}
            onChange={setState}
          />
          <TextField label="Search" type="search" autocomplete="off" value={search} onInput={setSearch} />
        </div>
        {error && <Problem error={error} onRetry={live.refresh} />}
        {status === 'loading' && <Busy label="Loading the conflicts …" />}
        {status === 'ready' && total === 0 && (
          <Empty icon="document" title={isFiltered ? 'Nothing fits these filters.' : 'Nothing is in conflict.'}>
            {isFiltered ? (
              <button
                type="button"
                onClick={() => {
                  setSearch('')
                  setQuery({ search: undefined, state: undefined })
                  live.filter({})
                }}
              >
                Show all
              </button>
            ) : (
              'Parsers leave here what they cannot decide.'
            )}
          </Empty>
        )}
        {rows.length > 0 && (
          <>
            <Table name="Conflicts" columns={COLUMNS} rows={rows} rowKey={(row) => `${row.source}/${row.externalId}`} />
            <div class="table-foot">
              <span class="muted">
                {rows.length} of {total}
              </span>
              {hasMore && (
                <button type="button" class="small" onClick={() => live.more()}>
                  Show more
                </button>
              )}
            </div>
          </>
        )}
      </Tabs>
    </Page>
  )
}
