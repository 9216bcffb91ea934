import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { TextField } from '../fields/field.tsx'
import { formatCount } from '../format.ts'
import { hall, settle } from '../hall.ts'
import { reload, useQuery } from '../hooks/use-query.ts'
import { notify } from '../notices.ts'
import { hold, isActedOn, undo } from '../outbox/outbox.ts'
import { Button } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { holdReplacement, useRoyal } from '../royal/use-royal.ts'
import { request, viewer } from '../session.ts'

/** The dialog that sets a new password; every other session of the user ends. */
export function ChangePassword({ onClose }: { onClose(): void }) {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')

  async function send() {
    const answer = await settle(hall.call('PUT /auth/password', { body: { currentPassword, newPassword } }))
    if (!answer.ok) return answer.error
    notify('The password is changed. Every other device is signed out')
    onClose()
    return undefined
  }

  return (
    <Dialog title="Change password" onClose={onClose}>
      <Form action="Change password" send={send}>
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          value={currentPassword}
          onInput={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="8 to 200 characters. Every other device is signed out"
          value={newPassword}
          onInput={setNew}
        />
      </Form>
    </Dialog>
  )
}

type Preset = Answer<'GET /user/presets/:userId'>['presets'][number]

const ID = /^[0-9a-f]{24}$/i

/** The ids of a preset's games, from a list or its JSON; undefined for a preset in another format of the site. */
function readGames(preset: Preset['preset']): string[] | undefined {
  try {
    const value: unknown = typeof preset === 'string' ? JSON.parse(preset) : preset
    return Array.isArray(value) && value.every((id) => typeof id === 'string' && ID.test(id)) ? value : undefined
  } catch {
    return undefined
  }
}

const PRESETS = 'GET /user/presets/:userId'
const toKey = (name: string) => `preset/${name}`

/** The dialog of the user's presets: royal lists kept under a name. */
export function Presets({ onClose }: { onClose(): void }) {
  const userId = viewer.value ?? ''
  const { games, isLive } = useRoyal().state
  const query = useQuery(PRESETS, { params: { userId } })
  const [name, setName] = useState('')
  async function save() {
    const body = { name, preset: [...games] }
    const saved = await request(hall.call('PUT /user/presets/:userId', { params: { userId }, body }))
    if (!saved.ok) return saved.error
    setName('')
    // A deletion of the same name that is still in the outbox would remove the new preset.
    undo(toKey(name.trim()))
    await reload(PRESETS)
    return undefined
  }

  function remove(preset: string) {
    hold({
      key: toKey(preset),
      what: 'Delete a preset',
      about: preset,
      address: '#/royal',
      async send() {
        const deleted = await request(
          hall.call('DELETE /user/presets/:userId', { params: { userId }, query: { name: preset } }),
        )
        await reload(PRESETS)
        return deleted
      },
    })
  }

  return (
    <Dialog title="Presets" onClose={onClose}>
      <p class="muted">Royal lists saved under a name.</p>
      <Loaded query={query}>
        {({ presets }) => {
          const kept = presets.filter((preset) => !isActedOn(toKey(preset.name)))
          if (kept.length === 0) return <p>No presets yet.</p>
          return (
            <ul class="stack tight lined" aria-label="Presets">
              {kept.map((preset) => {
                const ids = readGames(preset.preset)
                return (
                  <li key={preset.name} class="row spread">
                    <span>
                      {preset.name} <span class="facts">{ids ? formatCount(ids.length, 'game') : 'of the site'}</span>
                    </span>
                    <span class="row">
                      {ids && (
                        <Button
                          class="small"
                          aria-label={`Load ${preset.name}`}
                          disabled={!isLive}
                          onClick={() => {
                            holdReplacement(ids, preset.name)
                            onClose()
                          }}
                          text="Load"
                        />
                      )}
                      <Button
                        class="small"
                        aria-label={`Delete ${preset.name}`}
                        onClick={() => remove(preset.name)}
                        text="Delete"
                      />
                    </span>
                  </li>
                )
              })}
            </ul>
          )
        }}
      </Loaded>
      <Form action="Save" disabled={!isLive || name.trim() === ''} send={save}>
        <TextField
          label="Name"
          hint={`Saves the ${formatCount(games.length, 'game')} of now`}
          value={name}
          onInput={setName}
        />
      </Form>
    </Dialog>
  )
}
