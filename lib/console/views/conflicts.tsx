import { useEffect } from 'preact/hooks'
import type { ConflictRow, ConflictSummary } from '../../contract/conflicts.ts'
import { DECIDERS, REASONS, SOURCE_NAMES, SOURCES, STATES } from '../conflicts/conflict-words.ts'
import { LIST_TAKE, readConflictFilter, toFilterSuffix } from '../conflicts/filter.ts'
import { formatNumber, formatPoints } from '../format.ts'
import { Badge, Button, Page } from '../parts/basics.tsx'
import { type Columns, FilterField, FilterSelect, FilterTabs, Paged, Table } from '../parts/list.tsx'
import { useConnection, useLive, useQuery } from '../parts/query.tsx'
import { linkTo, open } from '../route.ts'
import { hall, viewer } from '../session.ts'

const TABS = { all: 'All', ...SOURCE_NAMES }
const STATE_NAMES = Object.fromEntries(Object.entries(STATES).map(([state, { name }]) => [state, name]))

function LikelyMatch({ row }: { row: ConflictRow }) {
  const [winner] = row.winners
  if (winner) return <a href={linkTo('games', winner.slug)}>{winner.name}</a>
  const [first] = row.direction === 'entries' ? row.entries : row.candidates
  if (first === undefined) return <span class="muted">none</span>
  return (
    <>
      <bdi>{first.name}</bdi> {'score' in first && <span class="facts">{formatPoints(first.score)}</span>}
      {row.candidates.length > 1 && <span class="facts">, {row.candidates.length - 1} more</span>}
    </>
  )
}

const listColumns = (filter: string): Columns<ConflictRow> => ({
  Entry: ({ source, externalId, externalName }) => (
    <a href={linkTo('conflicts', source, externalId) + filter}>{externalName}</a>
  ),
  Source: ({ source }) => SOURCE_NAMES[source],
  Why: ({ reason }) => (reason === null ? <span class="muted">not specified</span> : REASONS[reason]),
  Likely: (row) => <LikelyMatch row={row} />,
  State: ({ state, isAutomatic }) => (
    <>
      <Badge {...STATES[state]} /> {isAutomatic && <Badge name="automatic" />}
    </>
  ),
})

const SAMPLE = { state: 'matched', automatic: 'true', days: 7 } as const

function AutomaticLine() {
  const { answer } = useQuery('GET /conflicts/list', { query: { ...SAMPLE, take: 1 } })
  if (!answer?.total) return null
  return (
    <p>
      <a href={`#/conflicts${toFilterSuffix(SAMPLE)}`}>
        {formatNumber(answer.total)} matched automatically in the last {SAMPLE.days} days
      </a>
    </p>
  )
}

const countAll = ({ bySource }: ConflictSummary) => SOURCES.reduce((sum, source) => sum + bySource[source], 0)

export function ConflictsView() {
  const filter = readConflictFilter()
  const { source, ...shown } = filter
  const {
    live,
    state: { status, summary, rows, total, error },
  } = useLive(() => hall.conflicts(source, { take: LIST_TAKE, ...shown }), [source, viewer.value])
  useConnection('/conflicts')
  const isFiltered = Object.keys(shown).length > 0
  useEffect(() => live.filter(shown), [live, JSON.stringify(shown)])

  const suffix = toFilterSuffix(filter)
  const first = isFiltered
    ? rows[0]
    : summary?.firstSource &&
      summary.firstExternalId !== null && { source: summary.firstSource, externalId: summary.firstExternalId }

  return (
    <Page
      title="Conflicts"
      lead={
        <span role="status">
          {summary ? `${formatNumber(summary.pending)} waiting, ${summary.applying} being applied` : 'Counting …'}
        </span>
      }
      actions={
        <Button
          class="primary"
          disabled={!first}
          onClick={() => first && open(linkTo('conflicts', first.source, first.externalId) + suffix)}
          text="Start review"
        />
      }
    >
      <AutomaticLine />
      <FilterTabs
        label="Sources"
        parameter="source"
        names={TABS}
        counts={{ all: summary ? countAll(summary) : undefined, ...summary?.bySource }}
      >
        <div class="grid filters">
          <FilterSelect label="State" parameter="state" names={STATE_NAMES} />
          <FilterSelect label="Decided by" parameter="automatic" names={DECIDERS} />
          <FilterField label="Search" parameter="search" />
        </div>
        <Paged
          query={{
            answer: status === 'ready' ? { results: rows, total } : undefined,
            error: error ?? undefined,
            load: live.refresh,
          }}
          take={LIST_TAKE}
          filters={['search', 'state', 'automatic', 'days']}
          empty="No conflicts."
          hint="Entries that parsers cannot decide appear here."
        >
          {(found) => (
            <Table
              name="Conflicts"
              columns={listColumns(suffix)}
              rows={found}
              rowKey={(row) => `${row.source}/${row.externalId}`}
            />
          )}
        </Paged>
      </FilterTabs>
    </Page>
  )
}
