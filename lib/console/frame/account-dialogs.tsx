import type { Answer } from '../../client/index.ts'
import { PasswordField, TextField } from '../fields/field.tsx'
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
import { call, viewer } from '../session.ts'

/** The dialog that sets a new password; every other session of the user ends. */
export const ChangePassword = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Change password" onClose={onClose}>
    <Form
      action="Change password"
      send={({ currentPassword = '', newPassword = '' }) =>
        settle(hall.call('PUT /auth/password', { body: { currentPassword, newPassword } }))
      }
      onSent={() => {
        notify('The password is changed. Every other device is signed out')
        onClose()
      }}
    >
      <PasswordField label="Current password" name="currentPassword" />
      <PasswordField
        label="New password"
        name="newPassword"
        isNew
        hint="8 to 200 characters. Every other device is signed out"
      />
    </Form>
  </Dialog>
)

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

  async function save({ name = '' }) {
    const saved = await call('PUT /user/presets/:userId', { params: { userId }, body: { name, preset: [...games] } })
    // A deletion of the same name that is still in the outbox would remove the new preset.
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
      <Form action="Save" disabled={!isLive} send={save} onSent={() => reload(PRESETS)}>
        <TextField label="Name" name="name" required hint={`Saves the ${formatCount(games.length, 'game')} of now`} />
      </Form>
    </Dialog>
  )
}
