import type { ComponentChildren } from 'preact'
import type { Answer } from '../../client/index.ts'
import { DELETED_USER } from '../../contract/limits.ts'
import { isObjectId } from '../../contract/object-id.ts'
import type { StaffActionKind, StaffTargetKind } from '../../contract/staff.ts'
import { isSource, SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { formatCount, formatExactTime, formatList } from '../format.ts'
import { gamesById, useGamesRead } from '../names.ts'
import { Page, Time } from '../parts/basics.tsx'
import { type Columns, FilterField, FilterSelect, Paged, Table } from '../parts/list.tsx'
import { useQuery } from '../parts/query.tsx'
import { fieldLabel } from '../proposal/fields.ts'
import { linkTo, readChoice, readPage, route } from '../route.ts'

type Action = Answer<'GET /staff-actions'>['results'][number]

const readText = ({ details }: Action, key: string) => {
  const value = details?.[key]
  return typeof value === 'string' ? value : undefined
}

const findGameId = (action: Action): string | undefined =>
  readText(action, 'gameId') ?? (readText(action, 'kind') === 'game' ? readText(action, 'resultId') : undefined)

type Part = (action: Action) => ComponentChildren

const gameLink: Part = (action) => {
  const id = findGameId(action)
  const game = id === undefined ? null : gamesById.value.get(id)
  if (game === undefined) return '…'
  return game === null ? 'a game that has left the catalogue' : <a href={linkTo('games', game.slug)}>{game.name}</a>
}

const commentLink: Part = (action) => {
  const { id, name } = action.target
  const address = linkTo('games', findGameId(action) ?? '', 'comments', id)
  if (name === undefined) return <a href={address}>a comment</a>
  return (
    <>
      the comment <a href={address}>“{name}”</a>
    </>
  )
}

const conflictLink: Part = ({ target }) => {
  const [source = '', ...rest] = target.id.split('/')
  return (
    <>
      <a href={linkTo('conflicts', source, rest.join('/'))}>{target.name ?? target.id}</a>
      {isSource(source) && ` (${SOURCE_NAMES[source]})`}
    </>
  )
}

const requestLink: Part = (action) => {
  const { target } = action
  const kind = readText(action, 'kind') ?? 'entry'
  const isNew = readText(action, 'action') === 'add'
  const game = gamesById.value.get(findGameId(action) ?? '')
  const name = target.name ?? game?.name
  return (
    <a href={linkTo('requests', target.id)}>
      {isNew ? `the new ${kind}` : 'the correction of'} {name ?? `a ${kind}`}
    </a>
  )
}

const userLink: Part = ({ target: { id, name } }) => <a href={linkTo('users', id)}>{name ?? 'a user'}</a>

const fields: Part = ({ details }) => {
  const keys = details?.appliedFields
  return Array.isArray(keys) && keys.length > 0 && `: ${formatList(keys.map(fieldLabel))}`
}

const reports: Part = ({ details }) => {
  const count = Number(details?.reportsCount)
  return count > 0 && `, which had ${formatCount(count, 'report')}`
}

/** Describes a text in the details of an action, or answers `otherwise` when the action lacks it. */
const detail =
  (key: string, describe: (text: string) => string, otherwise = ''): Part =>
  (action) => {
    const text = readText(action, key)
    return text ? describe(text) : otherwise
  }

const quoted = (key: string) => detail(key, (text) => `: “${text}”`)
const until = detail('until', (at) => ` until ${formatExactTime(at)}`, ' for good')
const since = detail('since', (at) => ` since ${formatExactTime(at)}`)

/** The count is stored at the end of the act. */
const count: Part = ({ details }) => {
  const comments = details?.count
  return `: ${typeof comments === 'number' ? formatCount(comments, 'comment') : 'under way'}`
}

const decision: Part = (action) => {
  const name = conflictLink(action)
  if (action.details?.gameId) return ['matched ', name, ' with ', gameLink(action)]
  const entry = readText(action, 'entryId')
  return entry === undefined ? ['skipped ', name] : ['matched ', name, ` with entry ${entry}`]
}

const keyName: Part = ({ target, details }) => {
  const scopes = details?.scopes
  return `“${target.id}”${Array.isArray(scopes) ? ` for ${formatList(scopes)}` : ''}`
}

const sourceName: Part = ({ target }) => target.name ?? target.id

const PREDICATES: Readonly<Record<StaffActionKind, readonly (string | Part)[]>> = {
  'comment-hidden': ['hid ', commentLink, ' in ', gameLink, reports],
  'comment-shown': ['showed ', commentLink, ' in ', gameLink, ' again'],
  'comment-deleted': ['deleted ', commentLink, ' in ', gameLink, reports],
  'reports-cleared': ['kept ', commentLink, ' in ', gameLink, reports],
  'conflict-decided': [decision],
  'conflict-reopened': ['reopened ', conflictLink],
  'candidate-added': ['added ', gameLink, ' to the candidates of ', conflictLink],
  'request-approved': ['approved ', requestLink, fields],
  'request-rejected': ['rejected ', requestLink, quoted('reason')],
  'admin-granted': ['gave ', userLink, ' the admin role'],
  'admin-revoked': ['took the admin role from ', userLink],
  'password-reset': ['reset the password of ', userLink],
  'key-created': ['created the service key ', keyName],
  'key-revoked': ['revoked the service key ', keyName],
  'reset-link-made': ['made a link for a new password of ', userLink],
  'user-deleted': ['deleted the account of ', userLink],
  'user-suspended': ['suspended ', userLink, until, quoted('reason')],
  'suspension-ended': ['ended the suspension of ', userLink],
  'comments-hidden': ['hid all comments of ', userLink, since, count],
  'user-noted': ['wrote a note about ', userLink, quoted('text')],
  'comments-shown': ['showed again what was hidden of ', userLink, count],
  'sync-started': ['started a walk of ', sourceName],
  'sync-stopped': ['stopped the walk of ', sourceName],
}

function Actor({ admin, target }: Action) {
  if (admin === null) return <>{target.kind === 'comment' ? 'Several reports' : 'A command'}</>
  // The search by name finds no deleted admin.
  const filter = admin.userName === DELETED_USER ? admin.userId : admin.userName
  return <a href={`#/log?admin=${encodeURIComponent(filter)}`}>{admin.userName}</a>
}

const TAKE = 30

const TARGETS: Readonly<Record<StaffTargetKind, string>> = {
  comment: 'Comments',
  conflict: 'Conflicts',
  request: 'Requests',
  user: 'Users',
  key: 'Service keys',
  source: 'Sources',
}

const COLUMNS: Columns<Action> = {
  When: ({ at }) => <Time at={at} />,
  Action: (action) => (
    <span>
      <Actor {...action} /> {PREDICATES[action.action].map((part) => (typeof part === 'string' ? part : part(action)))}
    </span>
  ),
}

export function LogView() {
  const { query } = route.value
  const kind = readChoice('kind', TARGETS)
  const [admin, target] = ['admin', 'target'].map((name) => query.get(name) ?? undefined)
  const isId = isObjectId(admin ?? '')
  const found = useQuery('GET /user/search', admin && !isId ? { query: { searchString: admin } } : null)
  const isAwaited = Boolean(admin && !isId && !found.answer)
  const filter = {
    ...(kind && { kind }),
    ...(admin && isId && { admin }),
    ...(found.answer && { admin: found.answer._id }),
    ...(target && { target }),
  }
  const log = useQuery('GET /staff-actions', isAwaited ? null : { query: { ...filter, page: readPage(), take: TAKE } })
  const isNamed = useGamesRead(log.answer?.results.flatMap((action) => findGameId(action) ?? []) ?? [])

  return (
    <Page title="Staff log" lead="Actions of admins on the content of others, kept for two years.">
      <div class="grid filters">
        <FilterSelect label="Kind" parameter="kind" names={TARGETS} />
        <FilterField label="Admin" parameter="admin" placeholder="Full user name, or an id" />
        <FilterField label="Target" parameter="target" placeholder="An id, or igdb/973" />
      </div>
      <Paged
        query={{ ...(isAwaited ? found : log), answer: isNamed ? log.answer : undefined }}
        take={TAKE}
        filters={['kind', 'admin', 'target']}
        empty="No staff actions yet."
        hint="Decisions and moderation appear here."
      >
        {(rows) => <Table name="Staff actions" columns={COLUMNS} rows={rows} rowKey={({ _id }) => _id} />}
      </Paged>
    </Page>
  )
}
