import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Form, PasswordField, TextArea, TextField } from '../fields/field.tsx'
import { formatCount } from '../format.ts'
import { notifyError } from '../notices.ts'
import { hold, isActedOn, undo } from '../outbox/outbox.ts'
import { Button, Time } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Loaded, reload, useQuery } from '../parts/query.tsx'
import { open } from '../route.ts'
import { holdReplacement, useRoyal } from '../royal/use-royal.ts'
import { attempt, call, hall, type Refusable, settle, viewer } from '../session.ts'
import { baseUrl, settings } from '../settings.ts'

const Row = ({ name, facts, children }: Record<'name' | 'facts' | 'children', ComponentChildren>) => (
  <li class="row spread">
    <span>
      {name} <span class="facts">{facts}</span>
    </span>
    <span class="row">{children}</span>
  </li>
)

const SESSIONS = 'GET /auth/sessions'

async function endSessions(ending: Refusable<unknown, number>): Promise<void> {
  await attempt(ending)
  await reload(SESSIONS)
}

const Sessions = () => (
  <Loaded query={useQuery(SESSIONS, {})}>
    {({ results }) => (
      <>
        <ul class="stack tight lined" aria-label="Sessions">
          {results.map(({ _id: id, device, address, lastUsedAt, isCurrent }) => (
            <Row
              key={id}
              name={device}
              facts={
                <>
                  {address} · last used <Time at={lastUsedAt} />
                </>
              }
            >
              {isCurrent ? (
                <span class="facts">This device</span>
              ) : (
                <Button
                  class="small"
                  aria-label={`End the session of ${device}`}
                  onClick={() => endSessions(hall.call('DELETE /auth/sessions/:id', { params: { id } }))}
                  text="End"
                />
              )}
            </Row>
          ))}
        </ul>
        {results.length > 1 && (
          <Button onClick={() => endSessions(hall.call('DELETE /auth/sessions'))} text="End all others" />
        )}
      </>
    )}
  </Loaded>
)

function Profile({ params }: { params: { id: string } }) {
  const query = useQuery('GET /user/:id', { params })
  // An ended session empties the cache of queries; the form keeps its answer and the typed text.
  const last = useRef(query.answer)
  last.current = query.answer ?? last.current
  return (
    <Loaded query={{ ...query, answer: last.current }}>
      {(profile) => (
        <Form
          action="Save the profile"
          send={({ description = '', avatar }) =>
            call('PATCH /user/:id', { params, body: { description, ...(avatar && { avatar }) } })
          }
          notice="The profile is saved"
          onSent={() => reload('GET /user/:id')}
        >
          <TextArea label="Description" name="description" rows={3} defaultValue={profile.description ?? ''} />
          <TextField label="Link to a new avatar" name="avatar" hint="The image is copied" />
        </Form>
      )}
    </Loaded>
  )
}

function DeleteAccount({ params, onDeleted }: { params: { id: string }; onDeleted(): void }) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) return <Button onClick={() => setOpen(true)} text="Delete my account" />
  return (
    <Form
      action="Delete for good"
      send={({ password = '' }) => settle(hall.call('DELETE /user/:id', { params, body: { password } }))}
      notice="Your account is deleted"
      onSent={() => {
        onDeleted()
        open('#/discussions')
      }}
    >
      <p>
        Your comments lose their text, everything else of yours is erased, and nobody can restore it. Export your data
        first.
      </p>
      <PasswordField label="Password" name="password" />
    </Form>
  )
}

/** Downloads the export by a link, so that the browser stores it as it arrives. The link needs a fresh session. */
async function exportData(userId: string): Promise<void> {
  const session = await settle(hall.session.load())
  if (!session.ok) notifyError(session.error)
  else Object.assign(document.createElement('a'), { href: `${baseUrl}/user/${userId}/export`, download: '' }).click()
}

export function AccountDialog({ onClose }: { onClose(): void }) {
  const params = { id: viewer.value ?? '' }
  const isOwn = settings.signInUrl === undefined
  return (
    <Dialog title="Account" onClose={onClose}>
      {isOwn && (
        <>
          <h3>Sessions</h3>
          <Sessions />
          <h3>Profile</h3>
          <Profile params={params} />
        </>
      )}
      <h3>Your data</h3>
      <div class="row">
        <Button onClick={() => exportData(params.id)} text="Export my data" />
      </div>
      {isOwn && <DeleteAccount params={params} onDeleted={onClose} />}
    </Dialog>
  )
}

export const ChangePassword = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Change password" onClose={onClose}>
    <Form
      action="Change password"
      send={({ currentPassword = '', newPassword = '' }) =>
        settle(hall.call('PUT /auth/password', { body: { currentPassword, newPassword } }))
      }
      notice="The password is changed. Every other device is signed out"
      onSent={onClose}
    >
      <PasswordField label="Current password" name="currentPassword" />
      <PasswordField label="New password" name="newPassword" isNew />
      <p class="muted">Every other device is signed out.</p>
    </Form>
  </Dialog>
)

const ID = /^[0-9a-f]{24}$/i

/** The ids of a preset's games, from a list or its JSON; undefined for a preset in another format of the site. */
function readPresetIds(preset: unknown): string[] | undefined {
  try {
    const value: unknown = typeof preset === 'string' ? JSON.parse(preset) : preset
    return Array.isArray(value) && value.every((id) => typeof id === 'string' && ID.test(id)) ? value : undefined
  } catch {
    return undefined
  }
}

const PRESETS = 'GET /user/presets/:userId'
const toKey = (name: string) => `preset/${name}`

export function Presets({ onClose }: { onClose(): void }) {
  const userId = viewer.value ?? ''
  const { games, isLive } = useRoyal().state

  async function save({ name = '' }) {
    const saved = await call('PUT /user/presets/:userId', { params: { userId }, body: { name, preset: [...games] } })
    // A deletion in the outbox of a preset with this name would remove the new preset.
    if (saved.ok) undo(toKey(name.trim()))
    return saved
  }

  function remove(preset: string) {
    hold({
      key: toKey(preset),
      what: 'Delete a preset',
      about: preset,
      address: '#/royal',
      async send() {
        const deleted = await call('DELETE /user/presets/:userId', { params: { userId }, query: { name: preset } })
        await reload(PRESETS)
        return deleted
      },
    })
  }

  return (
    <Dialog title="Presets" onClose={onClose}>
      <p class="muted">Royal lists saved under a name.</p>
      <Loaded query={useQuery(PRESETS, { params: { userId } })}>
        {({ presets }) => {
          const kept = presets.filter((preset) => !isActedOn(toKey(preset.name)))
          if (kept.length === 0) return <p>No presets yet.</p>
          return (
            <ul class="stack tight lined" aria-label="Presets">
              {kept.map(({ name, preset }) => {
                const ids = readPresetIds(preset)
                return (
                  <Row key={name} name={name} facts={ids ? formatCount(ids.length, 'game') : 'of the site'}>
                    {ids && (
                      <Button
                        class="small"
                        aria-label={`Load ${name}`}
                        disabled={!isLive}
                        onClick={() => {
                          holdReplacement(ids, name)
                          onClose()
                        }}
                        text="Load"
                      />
                    )}
                    <Button class="small" aria-label={`Delete ${name}`} onClick={() => remove(name)} text="Delete" />
                  </Row>
                )
              })}
            </ul>
          )
        }}
      </Loaded>
      <Form action="Save" disabled={!isLive} send={save} onSent={() => reload(PRESETS)}>
        <TextField label="Name" name="name" required hint={`Saves the ${formatCount(games.length, 'game')} of now`} />
      </Form>
    </Dialog>
  )
}
