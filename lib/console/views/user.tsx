import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { CommentHead, CommentText } from '../discussion/comment-content.tsx'
import { Form, TextArea } from '../fields/field.tsx'
import { formatCount, formatExactTime, formatNumber } from '../format.ts'
import { SuspendDialog } from '../frame/suspend-dialog.tsx'
import { Badge, Button, Page, PersonName, Section, Time } from '../parts/basics.tsx'
import { Loaded, useQuery } from '../parts/query.tsx'
import { linkTo, type ViewProps } from '../route.ts'
import { attempt, call, hall, type Refusable } from '../session.ts'
import { settings } from '../settings.ts'

type UserRecord = Answer<'GET /users/:id/record'>

const EVERY_MS = 5_000

const STATES: Readonly<Record<string, string>> = { actedOn: 'acted on' }

/** `2 visible, 1 hidden, 0 deleted` */
const describeCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([state, count]) => `${formatNumber(count)} ${STATES[state] ?? state}`)
    .join(', ')

const RecordNumbers = ({ comments, requests, reports }: UserRecord) => (
  <Section class="panel" name="Record">
    <p>Comments: {describeCounts(comments)}</p>
    <p>Requests: {describeCounts(requests)}</p>
    <p>Reports made: {describeCounts(reports.made)}</p>
    <p>Reports received: {describeCounts(reports.received)}</p>
  </Section>
)

const describeEnd = (until: string | null) => (until === null ? 'for good' : `until ${formatExactTime(until)}`)

const Suspensions = ({ suspensions }: UserRecord) => (
  <Section class="panel" name="Suspensions" isEmpty={suspensions.length === 0}>
    {suspensions.map(({ at, until, reason, endedAt }) => (
      <p key={at}>
        <Time at={at} /> {describeEnd(until)}
        {endedAt && ', ended '}
        {endedAt && <Time at={endedAt} />}: <q dir="auto">{reason}</q>
      </p>
    ))}
  </Section>
)

const Addresses = ({ addresses, sharing }: UserRecord) => (
  <Section class="panel" name="Addresses of the last 30 days" isEmpty={addresses.length === 0}>
    {addresses.map(({ address, lastUsedAt }) => (
      <p key={address}>
        <code>{address}</code>, used <Time at={lastUsedAt} />
        {sharing
          .filter((account) => account.address === address)
          .map(({ _id, userName }) => (
            <span key={_id}>
              , also by <PersonName id={_id} name={userName} />
            </span>
          ))}
      </p>
    ))}
  </Section>
)

const Notes = ({ id, notes, onWritten }: { id: string; notes: UserRecord['notes']; onWritten(): Promise<void> }) => (
  <Section class="panel" name="Notes for admins">
    {notes.map(({ _id, at, by, text: note }) => (
      <p key={_id} dir="auto">
        <Time at={at} />, {by ?? 'nobody'}: {note}
      </p>
    ))}
    <Form
      action="Add note"
      send={({ text = '' }) => call('POST /users/:id/notes', { params: { id }, body: { text } })}
      onSent={onWritten}
    >
      <TextArea label="Note" name="text" required rows={2} />
    </Form>
  </Section>
)

const LatestActivity = ({ lastComments, lastRequests }: UserRecord) => (
  <>
    <Section class="panel" name="Last comments" isEmpty={lastComments.length === 0}>
      {lastComments.map((comment) => (
        <article key={comment._id} class="stack tight">
          <CommentHead comment={comment} />
          {comment.body && <CommentText comment={comment} isOpen={false} />}
        </article>
      ))}
    </Section>
    <Section class="panel" name="Last requests" isEmpty={lastRequests.length === 0}>
      {lastRequests.map(({ _id, kind, status, targetName, payload, createdAt }) => (
        <p key={_id}>
          <a href={linkTo('requests', _id)}>{targetName ?? String(payload.name ?? `a ${kind}`)}</a>, {status},{' '}
          <Time at={createdAt} />
        </p>
      ))}
    </Section>
  </>
)

function UserPage({ id }: { id: string }) {
  const params = { id }
  const query = useQuery('GET /users/:id/record', { params }, { everyMs: EVERY_MS })
  const [link, setLink] = useState<Answer<'POST /users/:id/reset-link'>>()
  const [isSuspending, setSuspending] = useState(false)

  async function act(change: Refusable<unknown, number>) {
    await attempt(change)
    await query.load()
  }
  const makeLink = () => act(hall.call('POST /users/:id/reset-link', { params }).then(setLink))

  return (
    <Page title={query.answer?.user.userName ?? 'User'}>
      <Loaded query={query}>
        {(record) => {
          const { user, suspension } = record
          const isOfAdmin = user.roles.includes('admin')
          return (
            <div class="stack">
              <p class="facts">
                {isOfAdmin ? 'Admin' : 'User'} since <Time at={user.createdAt} />
                {suspension && <Badge name={`Suspended ${describeEnd(suspension.until)}`} look="bad" />}
              </p>
              {user.description && <p dir="auto">{user.description}</p>}
              <a href={`#/log?target=${id}`}>Staff log of this user</a>
              <div class="row">
                {!isOfAdmin && (
                  <>
                    <Button onClick={() => setSuspending(true)} text={suspension ? 'Change suspension' : 'Suspend'} />
                    {suspension && (
                      <Button
                        onClick={() => act(hall.call('DELETE /users/:id/suspension', { params }))}
                        text="End suspension"
                      />
                    )}
                    {settings.signInUrl === undefined && <Button onClick={makeLink} text="Make a reset link" />}
                  </>
                )}
                <Button
                  onClick={() => act(hall.call('POST /users/:id/hide-comments', { params, body: {} }))}
                  text="Hide all comments"
                />
              </div>
              {record.acts.map(
                ({ actId, at, count, isUndone }) =>
                  !isUndone && (
                    <p key={actId} class="row">
                      <span>
                        All comments hidden <Time at={at} />:{' '}
                        {count === null ? 'under way' : formatCount(count, 'comment')}
                      </span>
                      <Button
                        class="small"
                        onClick={() =>
                          act(hall.call('DELETE /users/:id/hide-comments/:actId', { params: { id, actId } }))
                        }
                        text="Show them again"
                      />
                    </p>
                  ),
              )}
              {link && (
                <section class="panel stack tight" aria-label="Reset link">
                  <p>
                    Sets a new password once, until {formatExactTime(link.expiresAt)}. No mail is sent: pass it on
                    yourself.
                  </p>
                  <code>{link.url}</code>
                </section>
              )}
              <RecordNumbers {...record} />
              <Suspensions {...record} />
              <Addresses {...record} />
              <Notes id={id} notes={record.notes} onWritten={query.load} />
              <LatestActivity {...record} />
              {isSuspending && (
                <SuspendDialog
                  user={user}
                  onClose={() => {
                    setSuspending(false)
                    void query.load()
                  }}
                />
              )}
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The page of a user for admins. Its state is dropped when the address changes to another user. */
export const UserView = ({ id = '' }: ViewProps) => <UserPage key={id} id={id} />
