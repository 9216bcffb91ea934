import { useState } from 'preact/hooks'
import { PasswordField, TextArea, TextField } from '../fields/field.tsx'
import { hall, type Refusable, settle } from '../hall.ts'
import { reload, useQuery } from '../hooks/use-query.ts'
import { notify, notifyError } from '../notices.ts'
import { Button, Time } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { open } from '../route.ts'
import { attempt, call, viewer } from '../session.ts'
import { baseUrl, settings } from '../settings.ts'

const SESSIONS = 'GET /auth/sessions'

function Sessions() {
  const query = useQuery(SESSIONS, {})

  async function end(ending: Refusable<unknown, number>) {
    await attempt(ending)
    await reload(SESSIONS)
  }

  return (
    <section class="stack tight" aria-labelledby="account-sessions">
      <h3 id="account-sessions">Sessions</h3>
      <Loaded query={query}>
        {({ results }) => (
          <>
            <ul class="stack tight lined" aria-label="Sessions">
              {results.map((session) => (
                <li key={session._id} class="row spread">
                  <span>
                    {session.device}{' '}
                    <span class="facts">
                      {session.address} · last used <Time at={session.lastUsedAt} />
                    </span>
                  </span>
                  {session.isCurrent ? (
                    <span class="facts">This device</span>
                  ) : (
                    <Button
                      class="small"
                      aria-label={`End the session of ${session.device}`}
                      onClick={() => end(hall.call('DELETE /auth/sessions/:id', { params: { id: session._id } }))}
                      text="End"
                    />
                  )}
                </li>
              ))}
            </ul>
            {results.length > 1 && (
              <div class="row">
                <Button onClick={() => end(hall.call('DELETE /auth/sessions'))} text="End all others" />
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Profile({ userId }: { userId: string }) {
  const params = { id: userId }
  return (
    <Loaded query={useQuery('GET /user/:id', { params })}>
      {(profile) => (
        <Form
          action="Save the profile"
          send={({ description = '', avatar }) =>
            call('PATCH /user/:id', { params, body: { description, ...(avatar && { avatar }) } })
          }
          onSent={() => {
            notify('The profile is saved')
            return reload('GET /user/:id')
          }}
        >
          <TextArea label="Description" name="description" rows={3} defaultValue={profile.description ?? ''} />
          <TextField label="Link to a new avatar" name="avatar" hint="The image is copied" />
        </Form>
      )}
    </Loaded>
  )
}

function DeleteAccount({ userId, onDeleted }: { userId: string; onDeleted(): void }) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) return <Button onClick={() => setOpen(true)} text="Delete my account" />
  return (
    <Form
      action="Delete for good"
      send={({ password = '' }) =>
        settle(hall.call('DELETE /user/:id', { params: { id: userId }, body: { password } }))
      }
      onSent={() => {
        onDeleted()
        notify('Your account is deleted')
        open('#/discussions')
      }}
      aside={<Button onClick={() => setOpen(false)} text="Keep it" />}
    >
      <p>
        Your comments lose their text, everything else of yours is erased, and nobody can bring it back. Export your
        data first.
      </p>
      <PasswordField label="Password" name="password" />
    </Form>
  )
}

/** Downloads the export by a link, so that the browser stores it as it arrives. The session is renewed before. */
async function exportData(userId: string): Promise<void> {
  const session = await settle(hall.session.load())
  if (!session.ok) notifyError(session.error)
  else Object.assign(document.createElement('a'), { href: `${baseUrl}/user/${userId}/export`, download: '' }).click()
}

/** The dialog of the own account: profile, sessions, export, deletion. */
export function AccountDialog({ onClose }: { onClose(): void }) {
  const userId = viewer.value ?? ''
  const isOwn = settings.signInUrl === undefined
  return (
    <Dialog title="Account" onClose={onClose}>
      {isOwn && (
        <>
          <Sessions />
          <h3>Profile</h3>
          <Profile userId={userId} />
        </>
      )}
      <h3>Your data</h3>
      <div class="row">
        <Button onClick={() => exportData(userId)} text="Export my data" />
      </div>
      {isOwn && <DeleteAccount userId={userId} onDeleted={onClose} />}
    </Dialog>
  )
}
