import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import type { StaffActionKind, StaffTargetKind } from '../../contract/staff.ts'
import { describeError } from '../describe-error.ts'
import { knownGames, readGames } from '../game-names.ts'
import { hall } from '../hall.ts'
import { notifyError } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Problem } from '../parts/problem.tsx'
import { Select } from '../parts/select.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { TextField } from '../parts/text-field.tsx'
import { Time } from '../parts/time.tsx'
import { request } from '../request.ts'
import { fieldLabel } from '../requests/describe-request.ts'
import { linkTo, route, setQuery } from '../route.ts'
import { useAddressText, usePage } from '../use-address.ts'
import { useQuery } from '../use-query.ts'
import { useUserName } from '../user-names.ts'

type Actions = Answer<'GET /staff-actions'>
type Action = Actions['results'][number]

const TAKE = 30
const ID = /^[0-9a-f]{24}$/i

const ACTIONS: Readonly<Record<StaffActionKind, string>> = {
  'comment-hidden': 'hid a comment',
  'comment-shown': 'showed a comment again',
  'comment-deleted': 'deleted a comment',
  'reports-cleared': 'kept a reported comment',
  'conflict-decided': 'decided a conflict',
  'conflict-reopened': 'reopened a conflict',
  'candidate-added': 'added a candidate',
  'request-approved': 'approved a request',
  'request-rejected': 'rejected a request',
  'admin-granted': 'gave the admin role',
  'admin-revoked': 'took the admin role',
  'password-reset': 'reset a password',
}

const TARGETS: Readonly<Record<StaffTargetKind, string>> = {
  comment: 'Comments',
  conflict: 'Conflicts',
  request: 'Requests',
  user: 'Users',
}
// Its keys are those of the type.
const TARGET_KINDS = Object.keys(TARGETS) as readonly StaffTargetKind[]
const isTargetKind = (text: string | null): text is StaffTargetKind => TARGET_KINDS.some((kind) => kind === text)

function Target({ target: { kind, id, name } }: Pick<Action, 'target'>) {
  const shown = name ?? id
  if (kind === 'conflict') {
    const [source = '', ...rest] = id.split('/')
    return <a href={linkTo('conflicts', source, rest.join('/'))}>{shown}</a>
  }
  if (kind === 'request') return <a href={linkTo('requests', id)}>{name ?? 'a request'}</a>
  return <>{kind === 'user' ? shown : 'a comment'}</>
}

const DETAIL_NAMES: Readonly<Record<string, string>> = {
  appliedFields: 'fields',
  gameId: 'game',
  entryId: 'entry',
  userName: 'of',
}
/** Details that the other columns show already. */
const LEFT_OUT = new Set(['resultId', 'commentId', 'userId'])

function toWords(key: string, value: NonNullable<Action['details']>[string]): string {
  if (key === 'gameId' && typeof value === 'string') {
    const game = knownGames.value.get(value)
    return game === undefined ? '…' : (game?.name ?? 'a game that left')
  }
  if (value === null) return key === 'gameId' || key === 'entryId' ? 'none, skipped' : 'none'
  if (Array.isArray(value)) return value.map(fieldLabel).join(', ')
  return String(value)
}

function Details({ details }: Pick<Action, 'details'>) {
  const told = Object.entries(details ?? {}).filter(([key, value]) => !LEFT_OUT.has(key) && value !== null)
  const isSkip = details?.gameId === null || details?.entryId === null
  return (
    <span class="log-details">
      {isSkip && 'skipped'}
      {told.map(([key, value]) => `${DETAIL_NAMES[key] ?? key}: ${toWords(key, value)}`).join('; ')}
    </span>
  )
}

const listActionGameIds = ({ results }: Actions) =>
  results.flatMap(({ details }) => (typeof details?.gameId === 'string' ? details.gameId : []))

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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void find((typed ?? '').trim())
      }}
    >
      <TextField
        label="Admin"
        type="search"
        autocomplete="off"
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

/** Actions of admins on the things of others, newest first. */
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
  const {
    answer: list,
    error,
    load,
  } = useQuery(
    'GET /staff-actions',
    { query: { ...filter, page, take: TAKE } },
    { onAnswer: (actions) => void readGames(listActionGameIds(actions)).catch(notifyError) },
  )

  const columns: readonly Column<Action>[] = [
    { name: 'When', cell: ({ at }) => <Time at={at} /> },
    {
      name: 'Admin',
      cell: (action) =>
        action.admin === null ? (
          <span class="muted">a command</span>
        ) : (
          <button
            type="button"
            class="quiet small"
            aria-label={`Only ${action.admin.userName}`}
            onClick={() => setQuery({ admin: action.admin?.userId, page: undefined })}
          >
            {action.admin.userName}
          </button>
        ),
    },
    { name: 'Action', cell: ({ action }) => ACTIONS[action] },
    { name: 'About', cell: (action) => <Target target={action.target} /> },
    { name: 'Details', cell: (action) => <Details details={action.details} /> },
  ]
  const isFiltered = isTargetKind(kind) || adminId !== undefined || target !== ''

  return (
    <Page title="Staff log" lead="What admins did to somebody else’s things, kept for two years.">
      <div class="filters">
        <Select<StaffTargetKind | 'all'>
          label="Kind"
          value={isTargetKind(kind) ? kind : 'all'}
          options={[{ value: 'all', name: 'All' }, ...TARGET_KINDS.map((value) => ({ value, name: TARGETS[value] }))]}
          onChange={(value) => setQuery({ kind: value === 'all' ? undefined : value, page: undefined })}
        />
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
      {error && <Problem error={error} onRetry={load} />}
      {list === undefined && !error && <Busy label="Loading the log …" />}
      {list?.total === 0 && (
        <Empty icon="document" title={isFiltered ? 'Nothing fits these filters.' : 'No staff actions yet.'}>
          {isFiltered ? (
            <button
              type="button"
              onClick={() => setQuery({ kind: undefined, admin: undefined, target: undefined, page: undefined })}
            >
              Show all
            </button>
          ) : (
            'Decisions and moderation leave a line here.'
          )}
        </Empty>
      )}
      {list !== undefined && list.total > 0 && (
        <>
          <Table name="Staff actions" columns={columns} rows={list.results} rowKey={({ _id }) => _id} />
          <Pager take={TAKE} total={list.total} />
        </>
      )}
    </Page>
  )
}
