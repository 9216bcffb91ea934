import type { FunctionComponent } from 'preact'
import type { Answer } from '../../client/index.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import { isSource, SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { formatCount, formatList } from '../format.ts'
import { knownGames } from '../names.ts'
import { fieldLabel } from '../requests/describe-request.ts'
import { linkTo } from '../route.ts'

export type Action = Answer<'GET /staff-actions'>['results'][number]

const readText = ({ details }: Action, key: string) => {
  const value = details?.[key]
  return typeof value === 'string' ? value : undefined
}

/** The id of the game that an action changed, or that its request created. */
export const findGameId = (action: Action): string | undefined =>
  readText(action, 'gameId') ?? (readText(action, 'kind') === 'game' ? readText(action, 'resultId') : undefined)

function GameLink({ action }: { action: Action }) {
  const id = findGameId(action)
  const game = id === undefined ? null : knownGames.value.get(id)
  if (game === undefined) return <>…</>
  return game === null ? <>a game that has left the catalogue</> : <a href={linkTo('games', game.slug)}>{game.name}</a>
}

function CommentLink({ action }: { action: Action }) {
  const { id, name } = action.target
  const address = linkTo('games', findGameId(action) ?? '', 'comments', id)
  if (name === undefined) return <a href={address}>a comment</a>
  return (
    <>
      the comment{' '}
      <a href={address} dir="auto">
        “{name}”
      </a>
    </>
  )
}

function ConflictLink({ action: { target } }: { action: Action }) {
  const [source = '', ...rest] = target.id.split('/')
  return (
    <>
      <a href={linkTo('conflicts', source, rest.join('/'))}>{target.name ?? target.id}</a>
      {isSource(source) && ` (${SOURCE_NAMES[source]})`}
    </>
  )
}

function RequestLink({ action }: { action: Action }) {
  const { target } = action
  const kind = readText(action, 'kind') ?? 'entry'
  const isNew = readText(action, 'action') === 'add'
  const game = knownGames.value.get(findGameId(action) ?? '')
  const name = target.name ?? game?.name
  return (
    <a href={linkTo('requests', target.id)}>
      {isNew ? `the new ${kind}` : 'the correction of'} {name ?? `a ${kind}`}
    </a>
  )
}

function UserLink({ action }: { action: Action }) {
  const { id, name } = action.target
  return <a href={`#/log?target=${id}`}>{name ?? 'a user'}</a>
}

function Fields({ action: { details } }: { action: Action }) {
  const fields = details?.appliedFields
  return Array.isArray(fields) && fields.length > 0 ? <>: {formatList(fields.map(fieldLabel))}</> : null
}

function Reports({ action: { details } }: { action: Action }) {
  const count = Number(details?.reportsCount)
  return count > 0 ? <>, which had {formatCount(count, 'report')}</> : null
}

function Reason({ action }: { action: Action }) {
  const reason = readText(action, 'reason')
  return reason ? <>: “{reason}”</> : null
}

function Decision({ action }: { action: Action }) {
  const { details } = action
  if (details?.gameId) {
    return (
      <>
        matched <ConflictLink action={action} /> with <GameLink action={action} />
      </>
    )
  }
  const entry = readText(action, 'entryId')
  return (
    <>
      {entry === undefined ? 'skipped' : 'matched'} <ConflictLink action={action} />
      {entry !== undefined && ` with entry ${entry}`}
    </>
  )
}

/** The predicate of each action, in parts; its subject is the admin. */
const PREDICATES: Readonly<Record<StaffActionKind, readonly (string | FunctionComponent<{ action: Action }>)[]>> = {
  'comment-hidden': ['hid ', CommentLink, ' in ', GameLink, Reports],
  'comment-shown': ['showed ', CommentLink, ' in ', GameLink, ' again'],
  'comment-deleted': ['deleted ', CommentLink, ' in ', GameLink, Reports],
  'reports-cleared': ['kept ', CommentLink, ' in ', GameLink, Reports],
  'conflict-decided': [Decision],
  'conflict-reopened': ['reopened ', ConflictLink],
  'candidate-added': ['added ', GameLink, ' to the candidates of ', ConflictLink],
  'request-approved': ['approved ', RequestLink, Fields],
  'request-rejected': ['rejected ', RequestLink, Reason],
  'admin-granted': ['gave ', UserLink, ' the admin role'],
  'admin-revoked': ['took the admin role from ', UserLink],
  'password-reset': ['reset the password of ', UserLink],
}

/** An action as a whole sentence that links to what it is about. */
export function ActionSentence({ action }: { action: Action }) {
  const { admin } = action
  return (
    <span>
      {admin === null ? 'A command' : <a href={`#/log?admin=${admin.userId}`}>{admin.userName}</a>}{' '}
      {PREDICATES[action.action].map((Part, index) =>
        typeof Part === 'string' ? Part : <Part key={index} action={action} />,
      )}
    </span>
  )
}
