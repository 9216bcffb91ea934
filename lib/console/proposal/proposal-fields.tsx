import { useState } from 'preact/hooks'
import { RELATIONS } from '../../contract/proposals/entry-fields.ts'
import { Chips } from '../fields/chips.tsx'
import { Combobox } from '../fields/combobox.tsx'
import { GameSearch } from '../fields/entry-search.tsx'
import { ImagePreview } from '../fields/image-preview.tsx'
import { Select } from '../fields/select.tsx'
import { TextArea } from '../fields/text-area.tsx'
import { TextField } from '../fields/text-field.tsx'
import type { KnownGame } from '../game-names.ts'
import { knownGames, noteGame } from '../game-names.ts'
import { toLines } from './draft.ts'
import { isAdded, type ProposalField } from './fields.ts'
import { findRefusal } from './refusals.ts'
import { type FieldControlProps, RowsField } from './rows-field.tsx'
import { usePlatforms } from './use-platforms.ts'
import { toList } from './values.ts'

const ADDS = 'Adds to what is there'
const findHint = (field: ProposalField, isCorrection: boolean) =>
  [isCorrection && isAdded(field) && ADDS, field.hint].filter(Boolean).join('. ') || undefined

const RELATION_OPTIONS = Object.entries(RELATIONS).map(([value, name]) => ({ value, name }))
const nameRelation = (relation: string) => RELATION_OPTIONS.find(({ value }) => value === relation)?.name ?? relation

interface EntriesProps extends FieldControlProps {
  hint: string | undefined
}

/** Platforms or games, chosen one by one. */
function EntriesField({ field, value, refusals, onChange, hint }: EntriesProps) {
  const { key, kind, label } = field
  const [relation, setRelation] = useState('sequels')
  const platforms = usePlatforms()
  const ids = toList(value).map(String)
  const add = (id: string) => onChange(kind === 'game' ? [id] : [...ids.filter((each) => each !== id), id])
  const path = `payload.${key}`
  const nameGame = (id: string) => knownGames.value.get(id)?.name ?? id

  function nameEntry(entry: string): string {
    if (kind === 'platforms') return platforms.find(({ _id }) => _id === entry)?.name ?? entry
    const [first = '', id] = entry.split(' ')
    return id === undefined ? nameGame(first) : `${nameRelation(first)}: ${nameGame(id)}`
  }
  const chips = (
    <Chips
      label={`Chosen: ${label}`}
      entries={ids.map((each) => ({ key: each, name: nameEntry(each) }))}
      onRemove={(removed) => onChange(ids.filter((each) => each !== removed))}
    />
  )
  const games = {
    refusal: findRefusal(refusals, path) ?? [...refusals].find(([each]) => each.startsWith(`${path}.`))?.[1],
    onChoose(game: KnownGame) {
      noteGame(game)
      add(kind === 'relations' ? `${relation} ${game._id}` : game._id)
    },
  }

  if (kind === 'relations') {
    return (
      <fieldset class="stack tight">
        <legend>{label}</legend>
        {hint && <p class="hint">{hint}</p>}
        <div class="grid row-fields">
          <Select label="Relation" value={relation} options={RELATION_OPTIONS} onChange={setRelation} />
          <GameSearch label="Related game" {...games} />
        </div>
        {chips}
      </fieldset>
    )
  }
  return (
    <div class="stack tight">
      {kind === 'platforms' ? (
        <Combobox
          label={label}
          hint={hint}
          refusal={findRefusal(refusals, path)}
          search={async (text) =>
            platforms
              .filter(({ _id, name }) => name.toLowerCase().includes(text.toLowerCase()) && !ids.includes(_id))
              .slice(0, 12)
          }
          drawOption={({ name }) => name}
          onChoose={({ _id }) => add(_id)}
        />
      ) : (
        <GameSearch label={label} hint={hint} {...games} />
      )}
      {chips}
    </div>
  )
}

/** The control of one field of a proposal, with the service's refusal of its value. */
export function ProposalFieldControl({ isCorrection, ...props }: FieldControlProps & { isCorrection: boolean }) {
  const { field, value = '', refusals, onChange } = props
  const hint = findHint(field, isCorrection)
  const refusal = findRefusal(refusals, `payload.${field.key}`)
  const text = { label: field.label, hint, refusal, value: String(value), onInput: onChange }

  switch (field.kind) {
    case 'rows':
      return <RowsField {...props} field={field} hint={hint} />
    case 'platforms':
    case 'game':
    case 'games':
    case 'relations':
      return <EntriesField {...props} hint={hint} />
    case 'image':
    case 'images':
      return (
        <div class="stack tight">
          {field.kind === 'image' ? <TextField {...text} type="url" /> : <TextArea {...text} rows={2} />}
          <div class="row">
            {toLines(text.value).map((src, index) => (
              <ImagePreview
                key={`${index} ${src}`}
                src={src}
                name={field.kind === 'image' ? field.label : `${field.label} ${index + 1}`}
              />
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
