import type { ConflictSubject } from '../../contract/conflicts.ts'
import type { GameRelation } from '../../contract/proposals/entry-fields.ts'
import type { GameFieldsMerged } from '../../contract/proposals/game-fields.ts'
import type { GameDocument } from '../db/collections/games.ts'

type GameCompany = { name: string } & Partial<Record<'developer' | 'publisher' | 'porting' | 'supporting', true>>

/** The fields that are stored as they are, without a look into the catalogue. */
type PlainFields = Pick<GameDocument, Exclude<GameFieldsMerged<'copy'>, 'name' | 'companies'>>

/** An entry of a source as a game of the catalogue. References are ids of the source; unknown facts are absent. */
export interface SourceGame {
  name: string
  fields: PlainFields & { companies?: GameCompany[] }
  /** The source's ids of its platforms: numbers of IGDB and RetroAchievements, codes of VNDB. */
  platforms: readonly (number | string)[]
  /** `date` in Unix seconds; `platform` is the source's id; `region` of the catalogue. */
  releases: readonly { date: number; human: string; month: number; year: number; platform: number; region: number }[]
  multiplayerModes: readonly { flags: Record<string, boolean | number>; platform?: number }[]
  /** Ids of IGDB. */
  related: Partial<Record<GameRelation, readonly number[]>> & { parent_game?: number }
  /** Addresses on the source's image host. */
  images: { cover?: string; screenshots?: readonly string[]; artworks?: readonly string[] }
}

/** The facts of a game of which a source has only the name. */
export const NO_FACTS = {
  fields: {},
  platforms: [],
  releases: [],
  multiplayerModes: [],
  related: {},
  images: {},
} satisfies Omit<SourceGame, 'name'>

/** A character of an IGDB game. */
export interface SourceCharacter {
  name: string
  akas?: string[]
  gender?: string
  species?: string
  countryName?: string
  description?: string
  mugShot?: string
  /** The ids of the other games of the character at the source. */
  games?: readonly number[]
}

/** The part of a game that is a source's own, ready to be stored. */
export interface SourceParts {
  igdb: NonNullable<GameDocument['igdb']>
  vndb: NonNullable<GameDocument['vndb']>
  hltb: NonNullable<GameDocument['hltb']> & { updatedAt: Date }
  ra: NonNullable<GameDocument['retroachievements']>[number]
}

export type SourceEntry<N extends keyof SourceParts = keyof SourceParts> = { [S in N]: EntryOf<S> }[N]

interface EntryOf<N extends keyof SourceParts> {
  source: N
  /** As in `conflicts.externalId`: `1234` of IGDB and RetroAchievements, `v17` of VNDB, `42` of HLTB. */
  id: string
  part: SourceParts[N]
  /** The game as the source describes it. HLTB and RetroAchievements have only its name and platforms. */
  game: SourceGame
  /** Only IGDB has them. */
  characters: readonly SourceCharacter[]
  /** For the review of a conflict. */
  subject: EntrySubject
}

/** The description of an entry for a moderator. Platforms are looked up later, and unknown texts are null. */
type EntrySubject = Omit<ConflictSubject, 'platformIds' | 'originalName' | 'description'> &
  Record<'originalName' | 'description', string | null>

/** Describes an entry by its game, and by further facts of its source. */
export const toSubject = (
  { name, fields, images }: SourceGame,
  facts: Partial<EntrySubject> & Pick<EntrySubject, 'url'>,
): EntrySubject => ({
  name,
  originalName: null,
  alternativeNames: fields.alternative_names ?? [],
  description: fields.summary ?? fields.storyline ?? null,
  released: null,
  developers: (fields.companies ?? []).filter(({ developer }) => developer).map((company) => company.name),
  lengthMinutes: null,
  cover: images.cover ?? null,
  isExplicitCover: false,
  ...facts,
})
