import type { Answer } from '../../client/index.ts'
import type { RequestStatus } from '../../contract/requests.ts'
import { FilterSelect } from '../fields/filters.tsx'
import { formatClock } from '../format.ts'
import { Page } from '../frame/page.tsx'
import { useQuery } from '../hooks/use-query.ts'
import { useUserName } from '../names.ts'
import { Badge, PersonName, Time } from '../parts/basics.tsx'
import { Paged } from '../parts/loaded.tsx'
import { type Columns, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { describeRequest, REQUEST_STATUS, readKind, toKindSuffix } from '../requests/describe-request.ts'
import { linkTo, readPage, route, setQuery } from '../route.ts'
import { waiting } from '../waiting-counts.ts'

type Requests = Answer<'GET /requests'>
type RequestRow = Requests['results'][number]
type Tab = RequestStatus | 'all'

const TAKE = 30
const EVERY_MS = 30_000
// Object.keys answers strings; these are the keys of the type.
const STATUSES = Object.keys(REQUEST_STATUS) as readonly RequestStatus[]
const TABS: readonly Tab[] = [...STATUSES, 'all']
const KINDS = { game: 'Games', character: 'Characters' } as const

function Status({ request: { status, claimedAt, claimedBy } }: { request: RequestRow }) {
  const name = useUserName(claimedBy)
  if (claimedAt !== null) {
    return <span>{`${name} is deciding since ${formatClock(claimedAt)}`}</span>
  }
  return <Badge {...REQUEST_STATUS[status]} />
}

const listColumns = (suffix: string): Columns<RequestRow> => ({
  Request: (row) => <a href={linkTo('requests', row._id) + suffix}>{describeRequest(row)}</a>,
  Fields: ({ payload }) => <span class="clamped">{Object.keys(payload).map(fieldLabel).join(', ')}</span>,
  Author: ({ userId, userName }) => <PersonName id={userId} name={userName} />,
  Sent: ({ createdAt }) => <Time at={createdAt} />,
  Status: (row) => <Status request={row} />,
})

export function RequestsView() {
  const { query } = route.value
  const wanted = query.get('status') ?? 'pending'
  const tab = TABS.find((value) => value === wanted) ?? 'pending'
  const kind = readKind()
  const page = readPage()
  const filter = { ...(tab !== 'all' && { status: tab }), ...(kind && { kind }) }
  const list = useQuery(
    'GET /requests',
    { query: { ...filter, order: 'oldest', page, take: TAKE } },
    { everyMs: EVERY_MS },
  )

  return (
    <Page title="Requests" lead="Proposals of readers. Admins decide field by field.">
      <Tabs<Tab>
        label="Status"
        tabs={TABS.map((value) => ({
          value,
          name: value === 'all' ? 'All' : REQUEST_STATUS[value].name,
          count: value === 'pending' ? waiting.value.requests : undefined,
        }))}
        selected={tab}
        onSelect={(value) => setQuery({ status: value === 'pending' ? undefined : value, page: undefined })}
      >
        <div class="grid filters">
          <FilterSelect label="Kind" parameter="kind" value={kind} names={KINDS} all="Games and characters" />
        </div>
        <Paged
          query={list}
          take={TAKE}
          empty={tab === 'pending' ? 'No pending requests.' : 'No requests.'}
          hint={tab === 'pending' ? 'Proposals of readers appear here.' : 'Choose another status or kind.'}
        >
          {(rows) => (
            <Table name="Requests" columns={listColumns(toKindSuffix(kind))} rows={rows} rowKey={({ _id }) => _id} />
          )}
        </Paged>
      </Tabs>
    </Page>
  )
}
