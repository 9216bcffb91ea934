import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallInput } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { knownGames, readGames } from '../game-names.ts'
import { hall } from '../hall.ts'
import { notify } from '../notices.ts'
import { Busy } from '../parts/busy.tsx'
import { CharacterSearch } from '../parts/character-search.tsx'
import { GameSearch } from '../parts/game-search.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Select } from '../parts/select.tsx'
import { TextArea } from '../parts/text-area.tsx'
import { request } from '../request.ts'
import { type Draft, EMPTY_DRAFT, listGroupGameIds, type Payload, toDraft, toPayload } from './draft.ts'
import { type ProposalKind, proposalGroups } from './fields.ts'
import { ProposalFieldControl } from './proposal-fields.tsx'
import { findRefusal, isRefused, type Refusals, toRefusals } from './refusals.ts'

export type ProposalSubject = 'game' | 'character' | 'game-correction' | 'character-correction'

/** The values that the form starts with. */
export interface ProposalStart {
  subject: ProposalSubject
  targetId?: string
  payload?: Payload
  sources?: readonly string[]
  note?: string
}

interface ProposalFormProps {
  start: ProposalStart
  onSubject(subject: ProposalSubject): void
  onSent(): void
}

const SUBJECTS: readonly { value: ProposalSubject; name: string }[] = [
  { value: 'game', name: 'A new game' },
  { value: 'character', name: 'A new character' },
  { value: 'game-correction', name: 'A correction of a game' },
  { value: 'character-correction', name: 'A correction of a character' },
]

const toProposalKind = (subject: ProposalSubject): ProposalKind => (subject.startsWith('game') ? 'game' : 'character')
const isCorrection = (subject: ProposalSubject) => subject.endsWith('correction')

interface Target {
  _id: string
  name: string
}

/** Names of games by their ids; a game that is gone keeps its id. */
async function findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  await readGames([...new Set(ids)])
  return new Map([...knownGames.peek()].flatMap(([id, game]) => (game === null ? [] : [[id, game.name]])))
}

/** Today's values under the names that a proposal has for them. */
function toValues(entry: Payload): Payload {
  const { relatedGames, ...values } = entry
  const parts: Record<string, unknown> = { ...values }
  const readKey = (part: unknown, key: string): unknown =>
    typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined
  parts.igdbId = readKey(entry.igdb, 'gameId')
  parts.vndbId = readKey(entry.vndb, 'vnId')
  parts.hltbId = readKey(entry.hltb, 'hltbId')
  parts.parentGameId = readKey(relatedGames, 'parent_game')
  return parts
}

async function readEntry(kind: ProposalKind, idOrSlug: string): Promise<Payload> {
  return kind === 'game'
    ? await hall.call('GET /games/:idOrSlug', { params: { idOrSlug } })
    : await hall.call('GET /characters/:idOrSlug', { params: { idOrSlug } })
}

const toLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/** The form for a game, a character or a correction. What was typed stays until the service has taken it. */
export function ProposalForm({ start, onSubject, onSent }: ProposalFormProps) {
  const { subject } = start
  const kind = toProposalKind(subject)
  const groups = proposalGroups(kind)
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT)
  const [today, setToday] = useState<Draft>(EMPTY_DRAFT)
  const [target, setTarget] = useState<Target>()
  const [sources, setSources] = useState((start.sources ?? []).join('\n'))
  const [note, setNote] = useState(start.note ?? '')
  const [refusals, setRefusals] = useState<Refusals>(new Map())
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isLoading, setLoading] = useState(start.targetId !== undefined || start.payload !== undefined)
  const form = useRef<HTMLFormElement>(null)

  async function aimAt(idOrSlug: string, proposed: Payload | undefined) {
    const entry = toValues(await readEntry(kind, idOrSlug))
    const names = await findNames(listGroupGameIds(groups, { ...entry, ...proposed }))
    const nameEntry = (id: string) => names.get(id) ?? id
    const current = toDraft(groups, { values: entry, nameEntry, isCorrection: true })
    const filled = toDraft(groups, { values: { ...entry, ...proposed }, nameEntry, isCorrection: true })
    const added = toDraft(groups, { values: proposed ?? {}, nameEntry, isCorrection: false })
    setTarget({ _id: String(entry._id), name: String(entry.name) })
    setToday(current)
    setDraft({
      texts: { ...filled.texts, ...added.texts },
      rows: { ...filled.rows, ...added.rows },
      platforms: filled.platforms,
      games: { ...filled.games, ...added.games },
      relations: added.relations,
    })
  }

  useEffect(() => {
    const { targetId, payload } = start
    if (!isLoading) return
    const fill = async () => {
      if (isCorrection(subject) && targetId !== undefined) return await aimAt(targetId, payload)
      const values = payload ?? {}
      const names = await findNames(listGroupGameIds(groups, values))
      setDraft(toDraft(groups, { values, nameEntry: (id) => names.get(id) ?? id, isCorrection: false }))
    }
    fill()
      .catch((error: unknown) => setRefusal(describeError(error)))
      .finally(() => setLoading(false))
  }, [])

  // The first refused field may be screens away from the button, or in a group that was closed.
  useEffect(() => {
    for (const refusal of form.current?.querySelectorAll('.refusal') ?? [])
      refusal.closest('details')?.setAttribute('open', '')
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  function aimAtFound(id: string) {
    setRefusal(undefined)
    aimAt(id, undefined).catch((error: unknown) => setRefusal(describeError(error)))
  }

  async function send() {
    setBusy(true)
    setRefusal(undefined)
    const proposal = {
      kind,
      action: isCorrection(subject) ? 'update' : 'add',
      ...(isCorrection(subject) && target && { targetId: target._id }),
      payload: toPayload(groups, draft, today),
      sources: toLines(sources),
      note: note.trim() || null,
    }
    // The form's own types end where values are typed by people: the service judges them, and says so beside each field.
    const body = proposal as CallInput<'POST /requests'>['body']
    const answer = await request(hall.call('POST /requests', { body }))
    setBusy(false)
    if (answer.ok) {
      notify('The proposal is sent. An admin decides about it')
      return onSent()
    }
    const issues = toRefusals(answer.error.issues)
    setRefusals(issues)
    const isSaidBeside = issues.size > 0 && answer.error.issues.some(({ path }) => path !== '' && path !== 'payload')
    setRefusal(isSaidBeside ? `Not sent yet: ${describeError(answer.error)}` : describeError(answer.error))
  }

  if (isLoading) return <Busy />

  const isAimed = !isCorrection(subject) || target !== undefined
  return (
    <form
      ref={form}
      class="proposal"
      aria-label="Propose"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Select label="What do you propose?" value={subject} options={SUBJECTS} onChange={onSubject} />
      {isCorrection(subject) && (
        <div class="target">
          {kind === 'game' ? (
            <GameSearch
              label={target ? 'Correct another game' : 'Game to correct'}
              refusal={findRefusal(refusals, 'targetId')}
              onChoose={({ _id }) => aimAtFound(_id)}
            />
          ) : (
            <CharacterSearch
              label={target ? 'Correct another character' : 'Character to correct'}
              refusal={findRefusal(refusals, 'targetId')}
              onChoose={({ _id }) => aimAtFound(_id)}
            />
          )}
          {target && (
            <p>
              Correcting <strong>{target.name}</strong>. Only what you change is sent; what you empty stays as it is.
            </p>
          )}
        </div>
      )}
      {isAimed &&
        groups.map((group) => {
          const isOpen =
            group.isOpen ||
            group.fields.some(({ key }) => isRefused(refusals, `payload.${key}`) || start.payload?.[key] !== undefined)
          return (
            <details key={group.name} class="group" open={isOpen}>
              <summary>
                <h3>{group.name}</h3>
              </summary>
              <div class="fields">
                {group.fields.map((field) => (
                  <ProposalFieldControl
                    key={field.key}
                    field={field}
                    draft={draft}
                    refusals={refusals}
                    isCorrection={isCorrection(subject)}
                    onChange={setDraft}
                  />
                ))}
              </div>
            </details>
          )
        })}
      {!isAimed && <Refusal text={refusal} />}
      {isAimed && (
        <>
          <div class="fields">
            <TextArea
              label="Sources"
              hint="Where an admin can check it: one http(s) link a line"
              rows={2}
              value={sources}
              refusal={findRefusal(refusals, 'sources')}
              onInput={setSources}
            />
            <TextArea
              label="Note"
              hint="Anything else an admin should know"
              rows={2}
              value={note}
              refusal={findRefusal(refusals, 'note')}
              onInput={setNote}
            />
          </div>
          <Refusal text={refusal} />
          <div class="actions">
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? 'Sending …' : 'Propose'}
            </button>
          </div>
        </>
      )}
    </form>
  )
}
