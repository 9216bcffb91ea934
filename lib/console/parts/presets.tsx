import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { formatCount } from '../format.ts'
import { hall, type Refusable } from '../hall.ts'
import { notify, notifyError } from '../notices.ts'
import { request } from '../request.ts'
import { signIns, viewer } from '../session.ts'
import { useLive } from '../use-live.ts'
import { Busy } from './busy.tsx'
import { Dialog } from './dialog.tsx'
import { Refusal } from './refusal.tsx'
import { TextField } from './text-field.tsx'

type Preset = Answer<'GET /user/presets/:userId'>['presets'][number]

const ID = /^[0-9a-f]{24}$/i

/** The games of a preset, a list or the text of one; undefined for one that the site keeps in a form of its own. */
function readGames(preset: Preset['preset']): string[] | undefined {
  try {
    const value: unknown = typeof preset === 'string' ? JSON.parse(preset) : preset
    return Array.isArray(value) && value.every((id) => typeof id === 'string' && ID.test(id)) ? value : undefined
  } catch {
    return undefined
  }
}

const countGames = (count: number) => formatCount(count, 'game')

/** The dialog of the user's presets: royal lists kept under a name. */
export function Presets({ onClose }: { onClose(): void }) {
  const userId = viewer.value ?? ''
  const { live, state } = useLive(() => hall.royal(), [userId])
  const { games, isLive } = state
  const [presets, setPresets] = useState<readonly Preset[]>()
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string>()

  useEffect(() => {
    void take(hall.call('GET /user/presets/:userId', { params: { userId } }))
  }, [userId, signIns.value])

  async function take(call: Refusable<Answer<'GET /user/presets/:userId'>, number>): Promise<boolean> {
    const answer = await request(call)
    setRefusal(answer.ok ? undefined : describeError(answer.error))
    if (answer.ok) setPresets(answer.value.presets)
    return answer.ok
  }

  async function save() {
    const body = { name, preset: [...games] }
    if (await take(hall.call('PUT /user/presets/:userId', { params: { userId }, body }))) setName('')
  }

  async function load(preset: Preset) {
    const ack = await live.replace(readGames(preset.preset) ?? [])
    if (!ack.ok) return notifyError(new Error(ack.error))
    const left = ack.rejected.length
    notify(`${preset.name} is loaded${left === 0 ? '' : `, without ${countGames(left)} that left the catalogue`}`)
    onClose()
  }

  return (
    <Dialog title="Presets" onClose={onClose}>
      <p class="muted">Royal lists under a name, to come back to.</p>
      {presets === undefined && refusal === undefined && <Busy />}
      {presets?.length === 0 && <p>Nothing is saved yet.</p>}
      {presets !== undefined && presets.length > 0 && (
        <ul class="presets" aria-label="Presets">
          {presets.map((preset) => {
            const ids = readGames(preset.preset)
            return (
              <li key={preset.name}>
                <span class="preset-name">
                  {preset.name} <span class="facts">{ids ? countGames(ids.length) : 'of the site'}</span>
                </span>
                <span class="actions">
                  {ids && (
                    <button
                      type="button"
                      class="small"
                      aria-label={`Load ${preset.name}`}
                      disabled={!isLive}
                      onClick={() => void load(preset)}
                    >
                      Load
                    </button>
                  )}
                  <button
                    type="button"
                    class="small"
                    aria-label={`Delete ${preset.name}`}
                    onClick={() =>
                      void take(
                        hall.call('DELETE /user/presets/:userId', { params: { userId }, query: { name: preset.name } }),
                      )
                    }
                  >
                    Delete
                  </button>
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField label="Name" hint={`Saves the ${countGames(games.length)} of now`} value={name} onInput={setName} />
        <Refusal text={refusal} />
        <div class="actions">
          <button type="submit" class="primary" disabled={!isLive || name.trim() === ''}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
