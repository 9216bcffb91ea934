import type { ComponentChildren } from 'preact'
import type { Answer } from '../../client/index.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import { isSource, SOURCE_NAMES } from '../conflicts/conflict-words.ts'
import { formatCount, formatList } from '../format.ts'
import { knownGames } from '../game-names.ts'
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

function describeFields({ details }: Action): string {
  const fields = details?.appliedFields
  return Array.isArray(fields) && fields.length > 0 ? `: ${formatList(fields.map(fieldLabel))}` : ''
}

function describeReports({ details }: Action): string {
  const count = Number(details?.reportsCount)
  return count > 0 ? `, which had ${formatCount(count, 'report')}` : ''
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

type Predicate = (action: Action) => ComponentChildren

const aboutComment =
  (verb: string, describeRest: Predicate = describeReports): Predicate =>
  (action) => (
    <>
      {verb} <CommentLink action={action} /> in <GameLink action={action} />
      {describeRest(action)}
    </>
  )

const aboutRequest =
  (verb: string, describeRest: Predicate): Predicate =>
  (action) => (
    <>
      {verb} <RequestLink action={action} />
      {describeRest(action)}
    </>
  )

const aboutUser =
  (before: string, after = ''): Predicate =>
  ({ target: { id, name } }) => (
    <>
      {before} <a href={`#/log?target=${id}`}>{name ?? 'a user'}</a>
      {after}
    </>
  )

/** The predicate of each action; its subject is the admin. */
const PREDICATES: Readonly<Record<StaffActionKind, Predicate>> = {
  'comment-hidden': aboutComment('hid'),
  'comment-shown': aboutComment('showed', () => ' again'),
  'comment-deleted': aboutComment('deleted'),
  'reports-cleared': aboutComment('kept'),
  'conflict-decided': (action) => <Decision action={action} />,
  'conflict-reopened': (action) => (
    <>
      reopened <ConflictLink action={action} />
    </>
  ),
  'candidate-added': (action) => (
    <>
      added <GameLink action={action} /> to the candidates of <ConflictLink action={action} />
    </>
  ),
  'request-approved': aboutRequest('approved', describeFields),
  'request-rejected': aboutRequest('rejected', (action) => {
    const reason = readText(action, 'reason')
    return reason && `: “${reason}”`
  }),
  'admin-granted': aboutUser('gave', ' the admin role'),
  'admin-revoked': aboutUser('took the admin role from'),
  'password-reset': aboutUser('reset the password of'),
}

/** An action as a whole sentence that links to what it is about. */
export function ActionSentence({ action }: { action: Action }) {
  const { admin } = action
  return (
    <span>
      {admin === null ? 'A command' : <a href={`#/log?admin=${admin.userId}`}>{admin.userName}</a>}{' '}
      {PREDICATES[action.action](action)}
    </span>
  )
}
