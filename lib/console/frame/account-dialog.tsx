import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { TextArea, TextField } from '../fields/field.tsx'
import { hall, settle } from '../hall.ts'
import { reload, useQuery } from '../hooks/use-query.ts'
import { notify, notifyError } from '../notices.ts'
import { Button, Time } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { open } from '../route.ts'
import { request, viewer } from '../session.ts'
import { baseUrl, settings } from '../settings.ts'

const SESSIONS = 'GET /auth/sessions'
type Session = Answer<typeof SESSIONS>['results'][number]

function Sessions() {
  const query = useQuery(SESSIONS, {})

  async function end(call: Promise<{ ok: true } | { ok: false; error: Error }>) {
    const ended = await call
    if (!ended.ok) notifyError(ended.error)
    await reload(SESSIONS)
  }
  const endOne = ({ _id: id }: Session) => end(request(hall.call('DELETE /auth/sessions/:id', { params: { id } })))

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
                      onClick={() => void endOne(session)}
                      text="End"
                    />
                  )}
                </li>
              ))}
            </ul>
            {results.length > 1 && (
              <div class="row">
                <Button onClick={() => void end(request(hall.call('DELETE /auth/sessions')))} text="End all others" />
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Profile({ userId }: { userId: string }) {
  const query = useQuery('GET /user/:id', { params: { id: userId } })
  const [description, setDescription] = useState<string>()
  const [avatar, setAvatar] = useState('')

  async function save() {
    const body = { ...(description !== undefined && { description }), ...(avatar !== '' && { avatar }) }
    const saved = await request(hall.call('PATCH /user/:id', { params: { id: userId }, body }))
    if (!saved.ok) return saved.error
    setDescription(undefined)
    setAvatar('')
    notify('The profile is saved')
    await reload('GET /user/:id')
    return undefined
  }
  return (
    <Loaded query={query}>
      {(profile) => (
        <Form action="Save the profile" disabled={description === undefined && avatar === ''} send={save}>
          <TextArea
            label="Description"
            rows={3}
            value={description ?? profile.description ?? ''}
            onInput={setDescription}
          />
          <TextField label="Link to a new avatar" hint="The image is copied" value={avatar} onInput={setAvatar} />
        </Form>
      )}
    </Loaded>
  )
}

function DeleteAccount({ userId, onDeleted }: { userId: string; onDeleted(): void }) {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')

  async function send() {
    const deleted = await settle(hall.call('DELETE /user/:id', { params: { id: userId }, body: { password } }))
    if (!deleted.ok) return deleted.error
    onDeleted()
    notify('Your account is deleted')
    open('#/discussions')
    return undefined
  }
  if (!isOpen) return <Button onClick={() => setOpen(true)} text="Delete my account" />
  return (
    <Form action="Delete for good" send={send} aside={<Button onClick={() => setOpen(false)} text="Keep it" />}>
      <p>
        Your comments lose their text, everything else of yours is erased, and nobody can bring it back. Export your
        data first.
      </p>
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
      />
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
        <Button onClick={() => void exportData(userId)} text="Export my data" />
      </div>
      {isOwn && <DeleteAccount userId={userId} onDeleted={onClose} />}
    </Dialog>
  )
}
