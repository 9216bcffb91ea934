/**
 * The treatment of a proposed value when it is approved. `copy` replaces the stored value; `resolve` does so after its ids are
 * found in the catalogue; `add` adds to the stored value; `image` copies an image into the storage; `link` names an entry of a
 * source; `relation` replaces a relation.
 */
export type Merge = 'copy' | 'resolve' | 'add' | 'image' | 'link' | 'relation'

/** A column of rows. `max` is the number of characters of a text, or the highest number. */
export type Column = { label: string; isRequired?: true } & (
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'number'; min?: number; max?: number }
  | { kind: 'link' | 'date' | 'flag' | 'platform' | 'region' }
)

export type Columns = Readonly<Record<string, Column>>

/** A field that can be proposed. `count` is the number of members of a list, `max` as of a column. */
export type EntryField = {
  label: string
  hint?: string
  merge: Merge
  /** True when an approval reads the source's entry that the value names. */
  readsEntry?: true
} & (
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'lines'; count: number; max: number }
  | { kind: 'links' | 'images' | 'platforms' | 'games' | 'relations'; count: number }
  | { kind: 'number'; min?: number; max?: number }
  | { kind: 'image' | 'date' | 'game' }
  | { kind: 'rows'; count: number; row: string; columns: Columns }
)

export type EntryFields = Readonly<Record<string, EntryField>>

/** The fields by the headings of the form. */
export type FieldGroups = Readonly<Record<string, EntryFields>>

/** Every relation of two games but that to the parent, in words. */
export const RELATIONS = {
  dlcs: 'DLC',
  expansions: 'Expansion',
  standalone_expansions: 'Standalone expansion',
  bundles: 'Bundle',
  expanded_games: 'Expanded game',
  forks: 'Fork',
  ports: 'Port',
  remakes: 'Remake',
  remasters: 'Remaster',
  similar_games: 'Similar game',
  sequels: 'Sequel',
  prequels: 'Prequel',
  side_stories: 'Side story',
  parent_stories: 'Parent story',
  same_series: 'Same series',
  same_setting: 'Same setting',
  shared_characters: 'Shared characters',
  alternative_versions: 'Alternative version',
} as const
export type GameRelation = keyof typeof RELATIONS
