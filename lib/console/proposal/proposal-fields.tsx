import { useState } from 'preact/hooks'
import { RELATIONS } from '../../contract/entry-fields.ts'
import { Chips } from '../parts/chips.tsx'
import { Combobox } from '../parts/combobox.tsx'
import { GameSearch } from '../parts/game-search.tsx'
import { ImagePreview } from '../parts/image-preview.tsx'
import { Select } from '../parts/select.tsx'
import { TextArea } from '../parts/text-area.tsx'
import { TextField } from '../parts/text-field.tsx'
import type { Draft } from './draft.ts'
import { isAdded, type ProposalField } from './fields.ts'
import { findRefusal, type Refusals } from './refusals.ts'
import { RowsField } from './rows-field.tsx'
import { usePlatforms } from './use-platforms.ts'

interface ProposalFieldsProps {
  field: ProposalField
  draft: Draft
  refusals: Refusals
  onChange(draft: Draft): void
}

const ADDS = 'Adds to what is there'
const findHint = (field: ProposalField, isCorrection: boolean) =>
  [isCorrection && isAdded(field) && ADDS, field.hint].filter(Boolean).join('. ') || undefined

function PlatformsField({ field, draft, refusals, onChange }: ProposalFieldsProps) {
  const platforms = usePlatforms()
  const namePlatform = (id: string) => platforms.find(({ _id }) => _id === id)?.name ?? id

  return (
    <div class="stack tight">
      <Combobox
        label={field.label}
        hint={field.hint}
        refusal={findRefusal(refusals, `payload.${field.key}`)}
        placeholder="Type a name"
        search={async (text) =>
          platforms
            .filter(
              ({ _id, name }) => name.toLowerCase().includes(text.toLowerCase()) && !draft.platforms.includes(_id),
            )
            .slice(0, 12)
        }
        optionKey={({ _id }) => _id}
        drawOption={({ name }) => name}
        onChoose={({ _id }) => onChange({ ...draft, platforms: [...draft.platforms, _id] })}
      />
      <Chips
        label={`Chosen: ${field.label}`}
        entries={draft.platforms.map((id) => ({ key: id, name: namePlatform(id) }))}
        onRemove={(key) => onChange({ ...draft, platforms: draft.platforms.filter((id) => id !== key) })}
      />
    </div>
  )
}

function GamesField({ field, draft, refusals, onChange, hint }: ProposalFieldsProps & { hint: string | undefined }) {
  const games = draft.games[field.key] ?? []
  const setGames = (changed: Draft['games'][string]) =>
    onChange({ ...draft, games: { ...draft.games, [field.key]: changed } })

  return (
    <div class="stack tight">
      <GameSearch
        label={field.label}
        hint={hint}
        refusal={findRefusal(refusals, `payload.${field.key}`)}
        onChoose={({ _id, name }) =>
          setGames(
            field.kind === 'game' ? [{ _id, name }] : [...games.filter((game) => game._id !== _id), { _id, name }],
          )
        }
      />
      <Chips
        label={`Chosen: ${field.label}`}
        entries={games.map(({ _id, name }) => ({ key: _id, name }))}
        onRemove={(key) => setGames(games.filter(({ _id }) => _id !== key))}
      />
    </div>
  )
}

const RELATION_OPTIONS = Object.entries(RELATIONS).map(([value, name]) => ({ value, name }))

function RelationsField({
  field,
  draft,
  refusals,
  onChange,
  hint,
}: ProposalFieldsProps & { hint: string | undefined }) {
  const [relation, setRelation] = useState('sequels')
  const toKey = (each: Draft['relations'][number]) => `${each.relation} ${each.game._id}`

  return (
    <fieldset class="rows">
      <legend>{field.label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <div class="row">
        <Select label="Relation" value={relation} options={RELATION_OPTIONS} onChange={setRelation} />
        <GameSearch
          label="Related game"
          refusal={[...refusals].find(([path]) => path.startsWith(`payload.${field.key}`))?.[1]}
          onChoose={({ _id, name }) => {
            const added = { relation, game: { _id, name } }
            const others = draft.relations.filter((each) => toKey(each) !== toKey(added))
            onChange({ ...draft, relations: [...others, added] })
          }}
        />
      </div>
      <Chips
        label={`Chosen: ${field.label}`}
        entries={draft.relations.map((each) => ({
          key: toKey(each),
          name: `${RELATION_OPTIONS.find(({ value }) => value === each.relation)?.name ?? each.relation}: ${each.game.name}`,
        }))}
        onRemove={(key) => onChange({ ...draft, relations: draft.relations.filter((each) => toKey(each) !== key) })}
      />
    </fieldset>
  )
}

/** The control of one field of a proposal, with what the service has against it. */
export function ProposalFieldControl(props: ProposalFieldsProps & { isCorrection: boolean }) {
  const { field, draft, refusals, onChange, isCorrection } = props
  const hint = findHint(field, isCorrection)
  const value = draft.texts[field.key] ?? ''
  const refusal = findRefusal(refusals, `payload.${field.key}`)
  const setText = (text: string) => onChange({ ...draft, texts: { ...draft.texts, [field.key]: text } })
  const text = { label: field.label, hint, refusal, value, onInput: setText }

  switch (field.kind) {
    case 'rows':
      return <RowsField {...props} field={field} hint={hint} />
    case 'platforms':
      return <PlatformsField {...props} />
    case 'game':
    case 'games':
      return <GamesField {...props} hint={hint} />
    case 'relations':
      return <RelationsField {...props} hint={hint} />
    case 'image':
      return (
        <div class="stack tight">
          <TextField {...text} type="url" />
          <ImagePreview src={value.trim()} name={field.label} />
        </div>
      )
    case 'images':
      return (
        <div class="stack tight">
          <TextArea {...text} rows={2} />
          <div class="previews">
            {value.split('\n').map((line, index) => (
              <ImagePreview key={`${index} ${line}`} src={line.trim()} name={`${field.label} ${index + 1}`} />
            ))}
          </div>
        </div>
      )
    case 'long':
      return <TextArea {...text} rows={5} />
    case 'lines':
    case 'links':
      return <TextArea {...text} rows={2} />
    case 'date':
      return <TextField {...text} type="date" />
    default:
      return <TextField {...text} />
  }
}
