import type { GameRelation } from '../../contract/catalogue.ts'

export type ProposalKind = 'game' | 'character'

export interface RowColumn {
  key: string
  label: string
  kind: 'text' | 'number' | 'date' | 'flag' | 'platform' | 'region'
}

interface FieldFacts {
  label: string
  hint?: string
  /** An approval adds to what the entry has, so a correction starts empty. */
  isAdded?: true
}

export type ProposalField = FieldFacts & { key: string } & (
    | { kind: 'text' | 'long' | 'lines' | 'date' | 'number' | 'image' | 'images' | 'links' }
    | { kind: 'platforms' | 'game' | 'games' | 'relations' }
    | { kind: 'rows'; row: string; columns: readonly RowColumn[] }
  )

export interface FieldGroup {
  name: string
  isOpen?: true
  fields: readonly ProposalField[]
}

const ONE_A_LINE = 'One a line'
const LINKS = 'One http(s) link a line'

const flags = (names: Record<string, string>): RowColumn[] =>
  Object.entries(names).map(([key, label]) => ({ key, label, kind: 'flag' }))
const counts = (names: Record<string, string>): RowColumn[] =>
  Object.entries(names).map(([key, label]) => ({ key, label, kind: 'number' }))

export const GAME_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Basics',
    isOpen: true,
    fields: [
      { key: 'name', label: 'Name', kind: 'text' },
      { key: 'alternative_names', label: 'Alternative names', kind: 'lines', hint: ONE_A_LINE },
      { key: 'versionTitle', label: 'Version title', kind: 'text', hint: 'Such as “Director’s Cut”' },
      { key: 'type', label: 'Type', kind: 'text', hint: 'Such as “Main Game” or “Remake”' },
      { key: 'status', label: 'Status', kind: 'text', hint: 'Such as “Released”' },
      { key: 'first_release', label: 'First release', kind: 'date' },
      { key: 'summary', label: 'Summary', kind: 'long' },
      { key: 'storyline', label: 'Storyline', kind: 'long' },
    ],
  },
  {
    name: 'Images',
    isOpen: true,
    fields: [
      { key: 'cover', label: 'Cover', kind: 'image', hint: 'A link to an image' },
      { key: 'screenshots', label: 'Screenshots', kind: 'images', hint: LINKS, isAdded: true },
      { key: 'artworks', label: 'Artworks', kind: 'images', hint: LINKS, isAdded: true },
    ],
  },
  {
    name: 'Releases',
    fields: [
      { key: 'platformIds', label: 'Platforms', kind: 'platforms' },
      {
        key: 'release_dates',
        label: 'Release dates',
        kind: 'rows',
        row: 'release date',
        columns: [
          { key: 'date', label: 'Date', kind: 'date' },
          { key: 'platformId', label: 'Platform', kind: 'platform' },
          { key: 'region', label: 'Region', kind: 'region' },
        ],
      },
    ],
  },
  {
    name: 'Classification',
    fields: [
      { key: 'genres', label: 'Genres', kind: 'lines', hint: ONE_A_LINE },
      { key: 'modes', label: 'Modes', kind: 'lines', hint: ONE_A_LINE },
      { key: 'themes', label: 'Themes', kind: 'lines', hint: ONE_A_LINE },
      { key: 'keywords', label: 'Keywords', kind: 'lines', hint: ONE_A_LINE },
      { key: 'franchises', label: 'Franchises', kind: 'lines', hint: ONE_A_LINE },
      { key: 'game_engines', label: 'Game engines', kind: 'lines', hint: ONE_A_LINE },
      { key: 'player_perspectives', label: 'Player perspectives', kind: 'lines', hint: ONE_A_LINE },
      { key: 'languages', label: 'Languages', kind: 'lines', hint: ONE_A_LINE },
    ],
  },
  {
    name: 'Companies',
    fields: [
      {
        key: 'companies',
        label: 'Companies',
        kind: 'rows',
        row: 'company',
        columns: [
          { key: 'name', label: 'Company', kind: 'text' },
          ...flags({ developer: 'Developer', publisher: 'Publisher', porting: 'Porting', supporting: 'Supporting' }),
        ],
      },
      { key: 'developer', label: 'A developer to add', kind: 'text', isAdded: true },
      { key: 'publisher', label: 'A publisher to add', kind: 'text', isAdded: true },
    ],
  },
  {
    name: 'Details',
    fields: [
      {
        key: 'multiplayer_modes',
        label: 'Multiplayer modes',
        kind: 'rows',
        row: 'multiplayer mode',
        columns: [
          { key: 'platformId', label: 'Platform', kind: 'platform' },
          ...flags({
            campaignCoop: 'Campaign co-op',
            dropIn: 'Drop-in',
            lanCoop: 'LAN co-op',
            offlineCoop: 'Offline co-op',
            onlineCoop: 'Online co-op',
            splitscreen: 'Split screen',
            splitscreenOnline: 'Online split screen',
          }),
          ...counts({
            offlineCoopMax: 'Offline co-op players',
            offlineMax: 'Offline players',
            onlineCoopMax: 'Online co-op players',
            onlineMax: 'Online players',
          }),
        ],
      },
      {
        key: 'ageRatings',
        label: 'Age ratings',
        kind: 'rows',
        row: 'age rating',
        columns: [
          { key: 'organization', label: 'Organization', kind: 'text' },
          { key: 'rating', label: 'Rating', kind: 'text' },
          { key: 'synopsis', label: 'Synopsis', kind: 'text' },
        ],
      },
    ],
  },
  {
    name: 'Links',
    fields: [
      { key: 'websites', label: 'Websites', kind: 'links', hint: LINKS },
      { key: 'videos', label: 'Videos', kind: 'links', hint: LINKS },
      {
        key: 'externalPages',
        label: 'External pages',
        kind: 'rows',
        row: 'external page',
        columns: [
          { key: 'uid', label: 'Id there', kind: 'text' },
          { key: 'name', label: 'Page', kind: 'text' },
          { key: 'url', label: 'Link', kind: 'text' },
        ],
      },
    ],
  },
  {
    name: 'Relations',
    fields: [
      { key: 'parentGameId', label: 'Parent game', kind: 'game' },
      { key: 'relatedGames', label: 'Related games', kind: 'relations', isAdded: true },
    ],
  },
  {
    name: 'Source ids',
    fields: [
      { key: 'igdbId', label: 'IGDB id', kind: 'number', hint: 'A whole number' },
      { key: 'vndbId', label: 'VNDB id', kind: 'text', hint: 'Such as v17' },
      { key: 'hltbId', label: 'HowLongToBeat id', kind: 'text', hint: 'Digits' },
      {
        key: 'retroachievements',
        label: 'RetroAchievements',
        kind: 'rows',
        row: 'RetroAchievements game',
        isAdded: true,
        columns: [
          { key: 'gameId', label: 'Game id', kind: 'number' },
          { key: 'consoleId', label: 'Console id', kind: 'number' },
        ],
      },
    ],
  },
]

export const CHARACTER_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Character',
    isOpen: true,
    fields: [
      { key: 'name', label: 'Name', kind: 'text' },
      { key: 'akas', label: 'Also known as', kind: 'lines', hint: ONE_A_LINE },
      { key: 'gameIds', label: 'Games', kind: 'games', isAdded: true },
      { key: 'gender', label: 'Gender', kind: 'text' },
      { key: 'species', label: 'Species', kind: 'text' },
      { key: 'countryName', label: 'Country', kind: 'text' },
      { key: 'description', label: 'Description', kind: 'long' },
      { key: 'mugShot', label: 'Mug shot', kind: 'image', hint: 'A link to an image' },
    ],
  },
]

export const proposalGroups = (kind: ProposalKind): readonly FieldGroup[] =>
  kind === 'game' ? GAME_GROUPS : CHARACTER_GROUPS

/** Every relation of two games, in words. */
export const RELATIONS: Readonly<Record<GameRelation, string>> = {
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
}

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
