import { CHARACTER_GROUPS } from '../../contract/proposals/character-fields.ts'
import { type Column, type EntryField, type FieldGroups, RELATIONS } from '../../contract/proposals/entry-fields.ts'
import { GAME_GROUPS } from '../../contract/proposals/game-fields.ts'
import type { RequestKind } from '../../contract/requests.ts'

export type RowColumn = Column & { key: string }
export type ProposalField = EntryField & { key: string }

export interface FieldGroup {
  name: string
  isOpen: boolean
  fields: readonly ProposalField[]
}

const OPEN = new Set(['Basics', 'Images', 'Character'])

const withKeys = <T extends object>(record: Readonly<Record<string, T>>): (T & { key: string })[] =>
  Object.entries(record).map(([key, value]) => ({ ...value, key }))

const toGroups = (groups: FieldGroups): readonly FieldGroup[] =>
  Object.entries(groups).map(([name, fields]) => ({ name, isOpen: OPEN.has(name), fields: withKeys(fields) }))

const GROUPS = { game: toGroups(GAME_GROUPS), character: toGroups(CHARACTER_GROUPS) }

export const proposalGroups = (kind: RequestKind): readonly FieldGroup[] => GROUPS[kind]

export const listFields = (kind: RequestKind): ProposalField[] => GROUPS[kind].flatMap(({ fields }) => fields)

const LABELS = new Map([...listFields('character'), ...listFields('game')].map(({ key, label }) => [key, label]))

export const fieldLabel = (key: string): string => LABELS.get(key) ?? key

export const listColumns = ({ columns }: Extract<EntryField, { kind: 'rows' }>): RowColumn[] => withKeys(columns)

/** True when an approval adds to the values of the entry, so that a correction starts empty. */
export const isAdded = ({ merge }: EntryField): boolean => merge === 'add'

/** Regions by the number that the catalogue stores. */
export const REGIONS: readonly string[] = [
  'Europe',
  'North America',
  'Australia',
  'New Zealand',
  'Japan',
  'China',
  'Asia',
  'Worldwide',
  'Korea',
  'Brazil',
]

export const RELATION_NAMES: Readonly<Record<string, string>> = RELATIONS

export type Values = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toList = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]

/** Lists related games, which are stored by their relation, one by one. */
export const toRelated = (value: unknown): { relation: string; id: string }[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([relation, ids]) =>
    toList(ids).map((id) => ({ relation, id: String(id) })),
  )

export const listGameIds = (fields: readonly ProposalField[], values: Values): string[] =>
  fields.flatMap(({ key, kind }) => {
    if (kind === 'game' || kind === 'games') return toList(values[key]).map(String)
    return kind === 'relations' ? toRelated(values[key]).map(({ id }) => id) : []
  })
