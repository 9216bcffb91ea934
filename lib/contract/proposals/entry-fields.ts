/**
 * The treatment of a proposed value: `copy` and `resolve` replace the stored one, the latter once its ids are found in the
 * catalogue; `add` adds to it; `image` is copied into the storage; `link` names an entry of a source; `relation` replaces a
 * relation.
 */
export type Merge = 'copy' | 'resolve' | 'add' | 'image' | 'link' | 'relation'

/** A column of rows. `max` counts the characters of a text, and is the highest of numbers. */
export type Column = { label: string; isRequired?: true } & (
  | { kind: 'text' | 'long'; max: number }
  | { kind: 'number'; min?: number; max?: number }
  | { kind: 'link' | 'date' | 'flag' | 'platform' | 'region' }
)

/** A field of an entry as it is proposed. `max` counts characters, `count` the members of a list. */
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

export type FieldGroups = Readonly<Record<string, EntryFields>>

type NameOf<G extends FieldGroups> = { [Group in keyof G]: keyof G[Group] }[keyof G]
type FieldOf<G extends FieldGroups, Name> = {
  [Group in keyof G]: Name extends keyof G[Group] ? G[Group][Name] : never
}[keyof G]

export type FieldsOf<G extends FieldGroups> = { [Name in NameOf<G>]: FieldOf<G, Name> }

export const flattenGroups = <G extends FieldGroups>(groups: G): FieldsOf<G> =>
  Object.assign({}, ...Object.values(groups))

export type FieldsMerged<F extends EntryFields, M extends Merge> = {
  [K in keyof F]: F[K]['merge'] extends M ? K : never
}[keyof F]

export type Columns = Readonly<Record<string, Column>>

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
