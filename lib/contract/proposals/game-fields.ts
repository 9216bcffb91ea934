import { CONTENT_REQUEST_SCREENSHOTS_MAX, LONG_TEXT_MAX } from '../limits.ts'
import type { FieldGroups, Merge } from './entry-fields.ts'

const lines = { kind: 'lines', hint: 'One a line', merge: 'copy' } as const
const links = { kind: 'links', hint: 'One http(s) link a line', count: 20, merge: 'copy' } as const
const images = { ...links, kind: 'images', count: CONTENT_REQUEST_SCREENSHOTS_MAX, merge: 'add' } as const
const players = { kind: 'number', min: 0, max: 1_000 } as const
const sourceId = { kind: 'number', isRequired: true } as const

/** The fields of a game that can be proposed. They are data without schemas, so that the console loads no zod. */
export const GAME_GROUPS = {
  Basics: {
    name: { label: 'Name', kind: 'text', max: 200, merge: 'copy' },
    alternative_names: { ...lines, label: 'Alternative names', count: 20, max: 200 },
    versionTitle: { label: 'Version title', kind: 'text', max: 200, hint: 'Such as “Director’s Cut”', merge: 'copy' },
    type: { label: 'Type', kind: 'text', max: 60, hint: 'Such as “Main Game” or “Remake”', merge: 'copy' },
    status: { label: 'Status', kind: 'text', max: 60, hint: 'Such as “Released”', merge: 'copy' },
    first_release: { label: 'First release', kind: 'date', merge: 'copy' },
    summary: { label: 'Summary', kind: 'long', max: LONG_TEXT_MAX, merge: 'copy' },
    storyline: { label: 'Storyline', kind: 'long', max: LONG_TEXT_MAX, merge: 'copy' },
  },
  Images: {
    cover: { label: 'Cover', kind: 'image', hint: 'A link to an image', merge: 'image' },
    screenshots: { ...images, label: 'Screenshots' },
    artworks: { ...images, label: 'Artworks' },
  },
  Releases: {
    platformIds: { label: 'Platforms', kind: 'platforms', count: 60, merge: 'resolve' },
    release_dates: {
      label: 'Release dates',
      kind: 'rows',
      count: 60,
      row: 'release date',
      merge: 'resolve',
      columns: {
        date: { label: 'Date', kind: 'date', isRequired: true },
        platformId: { label: 'Platform', kind: 'platform', isRequired: true },
        region: { label: 'Region', kind: 'region' },
      },
    },
  },
  Classification: {
    genres: { ...lines, label: 'Genres', count: 20, max: 80 },
    modes: { ...lines, label: 'Modes', count: 10, max: 80 },
    themes: { ...lines, label: 'Themes', count: 20, max: 80 },
    keywords: { ...lines, label: 'Keywords', count: 100, max: 80 },
    franchises: { ...lines, label: 'Franchises', count: 10, max: 120 },
    game_engines: { ...lines, label: 'Game engines', count: 10, max: 120 },
    player_perspectives: { ...lines, label: 'Player perspectives', count: 10, max: 80 },
    languages: { ...lines, label: 'Languages', count: 60, max: 80 },
  },
  Companies: {
    companies: {
      label: 'Companies',
      kind: 'rows',
      count: 30,
      row: 'company',
      merge: 'copy',
      columns: {
        name: { label: 'Company', kind: 'text', max: 120, isRequired: true },
        developer: { label: 'Developer', kind: 'flag' },
        publisher: { label: 'Publisher', kind: 'flag' },
        porting: { label: 'Porting', kind: 'flag' },
        supporting: { label: 'Supporting', kind: 'flag' },
      },
    },
    developer: { label: 'A developer to add', kind: 'text', max: 120, merge: 'add' },
    publisher: { label: 'A publisher to add', kind: 'text', max: 120, merge: 'add' },
  },
  Details: {
    multiplayer_modes: {
      label: 'Multiplayer modes',
      kind: 'rows',
      count: 20,
      row: 'multiplayer mode',
      merge: 'resolve',
      columns: {
        platformId: { label: 'Platform', kind: 'platform' },
        campaignCoop: { label: 'Campaign co-op', kind: 'flag' },
        dropIn: { label: 'Drop-in', kind: 'flag' },
        lanCoop: { label: 'LAN co-op', kind: 'flag' },
        offlineCoop: { label: 'Offline co-op', kind: 'flag' },
        onlineCoop: { label: 'Online co-op', kind: 'flag' },
        splitscreen: { label: 'Split screen', kind: 'flag' },
        splitscreenOnline: { label: 'Online split screen', kind: 'flag' },
        offlineCoopMax: { label: 'Offline co-op players', ...players },
        offlineMax: { label: 'Offline players', ...players },
        onlineCoopMax: { label: 'Online co-op players', ...players },
        onlineMax: { label: 'Online players', ...players },
      },
    },
    ageRatings: {
      label: 'Age ratings',
      kind: 'rows',
      count: 20,
      row: 'age rating',
      merge: 'copy',
      columns: {
        organization: { label: 'Organization', kind: 'text', max: 200, isRequired: true },
        rating: { label: 'Rating', kind: 'text', max: 200, isRequired: true },
        synopsis: { label: 'Synopsis', kind: 'long', max: LONG_TEXT_MAX },
      },
    },
  },
  Links: {
    websites: { ...links, label: 'Websites' },
    videos: { ...links, label: 'Videos' },
    externalPages: {
      label: 'External pages',
      kind: 'rows',
      count: 20,
      row: 'external page',
      merge: 'copy',
      columns: {
        uid: { label: 'Id there', kind: 'text', max: 200, isRequired: true },
        name: { label: 'Page', kind: 'text', max: 80 },
        url: { label: 'Link', kind: 'link' },
      },
    },
  },
  Relations: {
    parentGameId: { label: 'Parent game', kind: 'game', merge: 'relation' },
    relatedGames: { label: 'Related games', kind: 'relations', count: 50, merge: 'add' },
  },
  'Source ids': {
    igdbId: { label: 'IGDB id', kind: 'number', hint: 'A whole number', merge: 'link', readsEntry: true },
    vndbId: { label: 'VNDB id', kind: 'text', max: 16, hint: 'Such as v17', merge: 'link', readsEntry: true },
    hltbId: { label: 'HowLongToBeat id', kind: 'text', max: 15, hint: 'Digits', merge: 'link', readsEntry: true },
    retroachievements: {
      label: 'RetroAchievements',
      kind: 'rows',
      count: 10,
      row: 'RetroAchievements game',
      merge: 'add',
      readsEntry: true,
      columns: { gameId: { label: 'Game id', ...sourceId }, consoleId: { label: 'Console id', ...sourceId } },
    },
  },
} as const satisfies FieldGroups

export const GAME_FIELDS = {
  ...GAME_GROUPS.Basics,
  ...GAME_GROUPS.Images,
  ...GAME_GROUPS.Releases,
  ...GAME_GROUPS.Classification,
  ...GAME_GROUPS.Companies,
  ...GAME_GROUPS.Details,
  ...GAME_GROUPS.Links,
  ...GAME_GROUPS.Relations,
  ...GAME_GROUPS['Source ids'],
}
type GameFields = typeof GAME_FIELDS

export type GameFieldsMerged<M extends Merge> = {
  [Name in keyof GameFields]: GameFields[Name]['merge'] extends M ? Name : never
}[keyof GameFields]
