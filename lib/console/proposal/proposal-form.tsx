import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallInput } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { dropDraft, keepDraft } from '../drafts.ts'
import { CharacterSearch, GameSearch } from '../fields/combobox.tsx'
import { Select, submitTo, TextArea } from '../fields/field.tsx'
import { notify } from '../notices.ts'
import { Busy, Button, Refusal } from '../parts/basics.tsx'
import { hall, request } from '../session.ts'
import { toLines, toPayload } from './draft.ts'
import { isObject, listFields, proposalGroups } from './fields.ts'
import { ProposalFieldControl } from './proposal-fields.tsx'
import {
  isCorrection,
  type LoadedProposal,
  loadProposal,
  type Proposal,
  type ProposalStart,
  type ProposalSubject,
  readProposal,
  toDraftKey,
  toProposalKind,
} from './proposal-start.ts'
import { findRefusal, type Refusals } from './refusals.ts'

type Body = NonNullable<CallInput<'POST /requests'>['body']>

/** Sorts the keys of objects, because the service stores them in another order. */
const sortKeys = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value

const toComparable = ({ kind, action, targetId = null, payload, sources = [], note = null }: Body) =>
  JSON.stringify({ kind, action, targetId, payload, sources, note }, sortKeys)

/** Sends a proposal, unless the same one waits already: the answer to an earlier attempt may have been lost. */
async function sendProposal(body: Body): Promise<void> {
  const { results } = await hall.call('GET /requests/mine')
  const pending = results.filter(({ status }) => status === 'pending')
  // A stored proposal has the fields of the one that was sent.
  const isStored = pending.some((stored) => toComparable(stored as Body) === toComparable(body))
  if (!isStored) await hall.call('POST /requests', { body })
}

interface ProposalFormProps {
  start: ProposalStart
  /** Called when the user requests another form: of another kind, for another entry, or this one empty. */
  onStart(start: ProposalStart): void
  onSent(): void
}

const SUBJECTS: readonly { value: ProposalSubject; name: string }[] = [
  { value: 'game', name: 'A new game' },
  { value: 'character', name: 'A new character' },
  { value: 'game-correction', name: 'A correction of a game' },
  { value: 'character-correction', name: 'A correction of a character' },
]

const TEXTS = [
  { name: 'sources', label: 'Sources', hint: 'Evidence for an admin: one http(s) link a line' },
  { name: 'note', label: 'Note', hint: 'Further facts for an admin' },
] as const

/** The form for a game, a character or a correction. It keeps the typed values until the service has stored them. */
export function ProposalForm({ start, onStart, onSent }: ProposalFormProps) {
  const { subject, targetId } = start
  const kind = toProposalKind(subject)
  const Search = kind === 'game' ? GameSearch : CharacterSearch
  const begun = useRef(readProposal(start)).current
  const [{ target, current, draft }, setLoaded] = useState<LoadedProposal>({ current: {}, draft: {} })
  const [texts, setTexts] = useState({ sources: begun?.sources ?? '', note: begun?.note ?? '' })
  const [refusals, setRefusals] = useState<Refusals>([])
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isLoading, setLoading] = useState(targetId !== undefined || begun !== undefined)
  const form = useRef<HTMLFormElement>(null)
  const payload = toPayload(listFields(kind), draft, current)
  const isTyped = Object.keys(payload).length > 0 || texts.sources !== '' || texts.note !== ''

  useEffect(() => {
    if (!isLoading) return
    loadProposal(start, begun?.payload ?? {})
      .then(setLoaded)
      .catch((error: unknown) => setRefusal(describeError(error)))
      .finally(() => setLoading(false))
  }, [])

  // A layout effect stores the draft before the page can be left. The draft stays when its entry could not be loaded.
  useLayoutEffect(() => {
    if (isLoading || (isCorrection(subject) && target === undefined)) return
    if (isTyped) keepDraft(toDraftKey(start), { payload, ...texts } satisfies Proposal)
    else dropDraft(toDraftKey(start))
  }, [draft, texts])

  // The first refused field may be screens away from the button, or in a group that was closed.
  useLayoutEffect(() => {
    for (const refusal of form.current?.querySelectorAll('.refusal') ?? [])
      refusal.closest('details')?.setAttribute('open', '')
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  async function send() {
    setBusy(true)
    setRefusal(undefined)
    const proposal = {
      kind,
      action: isCorrection(subject) ? 'update' : 'add',
      ...(isCorrection(subject) && target && { targetId: target._id }),
      payload,
      sources: toLines(texts.sources),
      note: texts.note.trim() || null,
    }
    // The values are sent as typed: the service validates them, and its refusals are shown beside the fields.
    const body = proposal as Body
    const answer = await request(sendProposal(body))
    setBusy(false)
    if (answer.ok) {
      dropDraft(toDraftKey(start))
      notify('The proposal is sent. An admin will decide it')
      return onSent()
    }
    const { issues } = answer.error
    setRefusals(issues)
    const isSaidBeside = issues.some(({ path }) => path !== '' && path !== 'payload')
    setRefusal(isSaidBeside ? `Not sent yet: ${describeError(answer.error)}` : describeError(answer.error))
  }

  function discard() {
    dropDraft(toDraftKey(start))
    onStart({ subject, ...(target && { targetId: target._id }) })
  }

  if (isLoading) return <Busy />

  const isAimed = !isCorrection(subject) || target !== undefined
  return (
    <form ref={form} class="stack proposal" aria-label="Propose" noValidate onSubmit={submitTo(send)}>
      <Select
        label="What do you propose?"
        value={subject}
        options={SUBJECTS}
        onChange={(next) => onStart({ subject: next })}
      />
      {isCorrection(subject) && (
        <div class="stack tight">
          <Search
            label={target ? `Correct another ${kind}` : `${kind === 'game' ? 'Game' : 'Character'} to correct`}
            refusal={findRefusal(refusals, 'targetId')}
            onChoose={({ _id }: { _id: string }) => onStart({ subject, targetId: _id })}
          />
          {target && (
            <p>
              Correcting <strong>{target.name}</strong>. Only changed fields are sent; emptied fields stay unchanged.
            </p>
          )}
        </div>
      )}
      {isAimed &&
        proposalGroups(kind).map((group) => {
          const isOpen =
            group.isOpen ||
            group.fields.some(({ key }) => findRefusal(refusals, `payload.${key}`) || begun?.payload[key] !== undefined)
          return (
            <details key={group.name} class="panel" open={isOpen}>
              <summary>
                <h3>{group.name}</h3>
              </summary>
              <div class="grid">
                {group.fields.map((field) => (
                  <ProposalFieldControl
                    key={field.key}
                    field={field}
                    value={draft[field.key]}
                    refusals={refusals}
                    isCorrection={isCorrection(subject)}
                    onChange={(value) =>
                      setLoaded((loaded) => ({ ...loaded, draft: { ...loaded.draft, [field.key]: value } }))
                    }
                  />
                ))}
              </div>
            </details>
          )
        })}
      {isAimed && (
        <div class="grid">
          {TEXTS.map((text) => (
            <TextArea
              {...text}
              key={text.name}
              rows={2}
              value={texts[text.name]}
              refusal={findRefusal(refusals, text.name)}
              onInput={(value) => setTexts({ ...texts, [text.name]: value })}
            />
          ))}
        </div>
      )}
      <Refusal text={refusal} />
      {isAimed && (
        <div class="row">
          <Button type="submit" class="primary" disabled={isBusy} text={isBusy ? 'Sending …' : 'Propose'} />
          {isTyped && <Button class="quiet" disabled={isBusy} onClick={discard} text="Discard" />}
        </div>
      )}
    </form>
  )
}
