import type { StaffTargetKind } from '../../contract/staff.ts'
import { FilterSelect } from '../fields/filter-select.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Page } from '../frame/page.tsx'
import { useGames } from '../game-names.ts'
import { useAddressText, usePage } from '../hooks/use-address.ts'
import { useQuery } from '../hooks/use-query.ts'
import { type Action, ActionSentence, findGameId } from '../log/action-sentence.tsx'
import { AdminFilter } from '../log/admin-filter.tsx'
import { Empty, NothingFits } from '../parts/empty.tsx'
import { Paged } from '../parts/loaded.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { route } from '../route.ts'

const TAKE = 30
const ID = /^[0-9a-f]{24}$/i

const TARGETS: Readonly<Record<StaffTargetKind, string>> = {
  comment: 'Comments',
  conflict: 'Conflicts',
  request: 'Requests',
  user: 'Users',
}
const isTargetKind = (text: string | null): text is StaffTargetKind => text !== null && Object.hasOwn(TARGETS, text)

const COLUMNS: readonly Column<Action>[] = [
  { name: 'When', cell: ({ at }) => <Time at={at} /> },
  { name: 'Action', cell: (action) => <ActionSentence action={action} /> },
]

/** Actions of admins on other users' content, newest first. */
export function LogView() {
  const { query } = route.value
  const kind = query.get('kind')
  const admin = query.get('admin')
  const targetText = useAddressText('target')
  const target = targetText.addressed
  const page = usePage()
  const adminId = admin !== null && ID.test(admin) ? admin : undefined
  const filter = {
    ...(isTargetKind(kind) && { kind }),
    ...(adminId && { admin: adminId }),
    ...(target && { target }),
  }
  const log = useQuery('GET /staff-actions', { query: { ...filter, page, take: TAKE } })
  useGames(log.answer?.results.flatMap((action) => findGameId(action) ?? []) ?? [])

  const isFiltered = isTargetKind(kind) || adminId !== undefined || target !== ''

  return (
    <Page title="Staff log" lead="What admins did to somebody else’s things, kept for two years.">
      <div class="grid filters">
        <FilterSelect label="Kind" parameter="kind" value={isTargetKind(kind) ? kind : undefined} names={TARGETS} />
        <AdminFilter adminId={adminId} />
        <TextField
          label="Target"
          type="search"
          autocomplete="off"
          placeholder="An id, or igdb/973"
          value={targetText.text}
          onInput={targetText.setText}
        />
      </div>
      <Paged
        query={log}
        take={TAKE}
        empty={
          isFiltered ? (
            <NothingFits filters={['kind', 'admin', 'target']} />
          ) : (
            <Empty icon="document" title="No staff actions yet.">
              Decisions and moderation leave a line here.
            </Empty>
          )
        }
      >
        {(rows) => <Table name="Staff actions" columns={COLUMNS} rows={rows} rowKey={({ _id }) => _id} />}
      </Paged>
    </Page>
  )
}
