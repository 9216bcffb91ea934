import type { ResolvedEntry } from '#lib/domain/catalogue/entries/resolve-entries'
import type { SourceEntry, SourceGame, SourceParts } from '#lib/infrastructure/sources/entries'

const NOTHING = { platforms: [], releases: [], multiplayerModes: [], related: {}, images: {} }

/** The subject of an entry of which the source has the name alone. */
export const subjectOf = (name: string) => ({
  name,
  originalName: null,
  alternativeNames: [] as string[],
  description: null,
  released: null,
  developers: [] as string[],
  lengthMinutes: null,
  cover: null,
  isExplicitCover: false,
  url: null,
})

export const entryOf = <N extends keyof SourceParts>(
  source: N,
  id: string,
  part: SourceParts[N],
  { name = 'Lantern Keep', fields = {}, ...game }: Partial<SourceGame> = {},
): SourceEntry<N> => ({
  source,
  id,
  part,
  game: { ...NOTHING, name, fields, ...game },
  characters: [],
  subject: subjectOf(name),
})

type Facts = Partial<Pick<ResolvedEntry, 'images' | 'characters'>> & { fields?: Partial<ResolvedEntry['fields']> }

const common = (id: string, { fields, images = {}, characters = [] }: Facts) => ({
  id,
  fields: { name: 'Lantern Keep', ...fields },
  images,
  characters,
})

export const igdbEntry = (gameId: number, facts: Facts = {}): ResolvedEntry => ({
  source: 'igdb',
  part: { gameId, total_rating_count: 40, hypes: 2 },
  ...common(String(gameId), facts),
})

export const vndbEntry = (vnId: string, facts: Facts = {}): ResolvedEntry => ({
  source: 'vndb',
  part: { vnId, votecount: 7 },
  ...common(vnId, facts),
})

export const hltbEntry = (hltbId: string, facts: Facts = {}): ResolvedEntry => ({
  source: 'hltb',
  part: { hltbId, mainStory: 12.5, updatedAt: new Date(0) },
  ...common(hltbId, facts),
})
