import type { Answer } from '../../client/index.ts'
import { formatClock } from '../format.ts'
import { useUserName } from '../names.ts'
import { Badge, Page, PersonName, Time } from '../parts/basics.tsx'
import { type Columns, FilterSelect, FilterTabs, Paged, Table } from '../parts/list.tsx'
import { useQuery } from '../parts/query.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { describeRequest, KINDS, REQUEST_STATUS, readKind, toKindSuffix } from '../requests/describe-request.ts'
import { linkTo, readChoice, readPage } from '../route.ts'
import { waiting } from '../waiting-counts.ts'

type Requests = Answer<'GET /requests'>
type RequestRow = Requests['results'][number]

const TAKE = 30
const EVERY_MS = 30_000
const TABS = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected', withdrawn: 'Withdrawn', all: 'All' }

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
  const tab = readChoice('status', TABS) ?? 'pending'
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
      <FilterTabs label="Status" parameter="status" names={TABS} counts={{ pending: waiting.value.requests }}>
        <div class="grid filters">
          <FilterSelect label="Kind" parameter="kind" names={KINDS} all="Games and characters" />
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
      </FilterTabs>
    </Page>
  )
}
