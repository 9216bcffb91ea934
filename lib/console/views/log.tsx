import { useState } from 'preact/hooks'
import type { StaffTargetKind } from '../../contract/staff.ts'
import { request } from '../call-service.ts'
import { describeError } from '../describe-error.ts'
import { FilterField, FilterSelect } from '../fields/filters.tsx'
import { TextField } from '../fields/text-field.tsx'
import { Page } from '../frame/page.tsx'
import { hall } from '../hall.ts'
import { useQuery } from '../hooks/use-query.ts'
import { type Action, ActionSentence, findGameId } from '../log/action-sentence.tsx'
import { useGames, useUserName } from '../names.ts'
import { Empty } from '../parts/empty.tsx'
import { submitTo } from '../parts/form.tsx'
import { Paged } from '../parts/loaded.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { readPage, route, setQuery } from '../route.ts'

/** Finds an admin by the whole user name. */
function AdminFilter({ adminId }: { adminId: string | undefined }) {
  const known = useUserName(adminId)
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()

  async function find(userName: string) {
    setRefusal(undefined)
    if (userName === '') return setQuery({ admin: undefined, page: undefined })
    const answer = await request(hall.call('GET /user/search', { query: { searchString: userName } }))
    if (!answer.ok) return setRefusal(describeError(answer.error))
    setTyped(undefined)
    setQuery({ admin: answer.value._id, page: undefined })
  }
  return (
    <form onSubmit={submitTo(() => find((typed ?? '').trim()))}>
      <TextField
        label="Admin"
        type="search"
        placeholder="A whole user name"
        refusal={refusal}
        value={typed ?? (adminId ? known : '')}
        onInput={(value) => {
          setTyped(value)
          if (value === '') void find('')
        }}
      />
    </form>
  )
}

const TAKE = 30
const ID = /^[0-9a-f]{24}$/i

const TARGETS: Readonly<Record<StaffTargetKind, string>> = {
  comment: 'Comments',
  conflict: 'Conflicts',
  request: 'Requests',
  user: 'Users',
}
const isTargetKind = (text = ''): text is StaffTargetKind => Object.hasOwn(TARGETS, text)

const COLUMNS: readonly Column<Action>[] = [
  { name: 'When', cell: ({ at }) => <Time at={at} /> },
  { name: 'Action', cell: (action) => <ActionSentence action={action} /> },
]

/** Actions of admins on other users' content, newest first. */
export function LogView() {
  const { query } = route.value
  const [kind, admin, target] = ['kind', 'admin', 'target'].map((name) => query.get(name) ?? undefined)
  const filter = {
    ...(isTargetKind(kind) && { kind }),
    ...(admin && ID.test(admin) && { admin }),
    ...(target && { target }),
  }
  const log = useQuery('GET /staff-actions', { query: { ...filter, page: readPage(), take: TAKE } })
  useGames(log.answer?.results.flatMap((action) => findGameId(action) ?? []) ?? [])

  return (
    <Page title="Staff log" lead="What admins did to somebody else’s things, kept for two years.">
      <div class="grid filters">
        <FilterSelect label="Kind" parameter="kind" value={filter.kind} names={TARGETS} />
        <AdminFilter adminId={filter.admin} />
        <FilterField label="Target" parameter="target" placeholder="An id, or igdb/973" />
      </div>
      <Paged
        query={log}
        take={TAKE}
        filters={['kind', 'admin', 'target']}
        empty={
          <Empty icon="document" title="No staff actions yet.">
            Decisions and moderation leave a line here.
          </Empty>
        }
      >
        {(rows) => <Table name="Staff actions" columns={COLUMNS} rows={rows} rowKey={({ _id }) => _id} />}
      </Paged>
    </Page>
  )
}
