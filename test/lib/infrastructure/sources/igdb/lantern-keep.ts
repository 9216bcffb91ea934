const named = (name: string, index: number) => ({ id: index + 1, name, slug: name.toLowerCase() })
const all = (...names: string[]) => names.map(named)

const RELEASED = Date.UTC(2017, 2, 3) / 1_000

export const RELATED = {
  parent_game: 9000,
  dlcs: [9101],
  expansions: [9102],
  standalone_expansions: [9103],
  bundles: [9104],
  expanded_games: [9105],
  forks: [9106],
  ports: [9107],
  remakes: [9108],
  remasters: [9109],
  similar_games: [9110, 9111],
}

export const RATINGS = {
  rating: 81.5,
  rating_count: 12,
  aggregated_rating: 77,
  aggregated_rating_count: 5,
  total_rating: 79.25,
  total_rating_count: 17,
  hypes: 3,
}

/** A game with every field that is read, some of them as odd as the source has them. */
export const LANTERN_KEEP = {
  id: 9001,
  name: ' Lantern Keep ',
  slug: 'lantern-keep',
  url: 'https://www.igdb.example/games/lantern-keep',
  summary: 'Keep the lanterns lit. ',
  storyline: 'Night falls.',
  first_release_date: RELEASED,
  created_at: 1_400_000_000,
  updated_at: 1_700_000_000,
  checksum: 'c0ffee',
  version_title: 'Gold Edition',
  cover: { id: 51, image_id: 'co1abc', width: 264 },
  screenshots: [{ id: 1, image_id: 'sc1' }, { id: 2, image_id: 'sc2' }, 3],
  artworks: [{ id: 1, image_id: 'ar1' }],
  genres: all('Adventure', 'Puzzle'),
  themes: all('Fantasy'),
  game_modes: all('Single player', 'Co-operative'),
  player_perspectives: all('Third person'),
  keywords: all('lanterns', 'Lanterns', 'night'),
  game_engines: all('Unity'),
  franchise: named('Lantern', 0),
  franchises: all('Lantern', 'Keepers'),
  game_type: { id: 8, type: 'Remake' },
  game_status: { id: 4, status: 'early access' },
  involved_companies: [
    { id: 7, company: named('North Pier', 69), developer: true, publisher: false, porting: false, supporting: false },
    { id: 8, company: named('Harbour', 70), developer: false, publisher: true, porting: false, supporting: true },
    { id: 9, company: named('North Pier', 69), developer: false, publisher: false, porting: true, supporting: false },
    { id: 10, company: 71, developer: true },
  ],
  platforms: [named('PC', 5), named('Switch', 129)],
  release_dates: [
    {
      id: 3,
      date: RELEASED,
      human: 'Mar 03, 2017',
      platform: named('PC', 5),
      release_region: { id: 5, region: 'japan' },
      date_format: { id: 0, format: 'YYYYMMMMDD' },
    },
    {
      id: 4,
      date: Date.UTC(2018, 11, 31) / 1_000,
      platform: named('Switch', 129),
      date_format: { id: 2, format: 'YYYY' },
    },
    {
      id: 5,
      date: Date.UTC(2019, 0, 1) / 1_000,
      platform: named('Switch', 129),
      release_region: { id: 99, region: 'moon' },
    },
    { id: 6, platform: named('PC', 5), date_format: { id: 7, format: 'TBD' } },
  ],
  alternative_names: [
    { id: 1, name: '灯台守', comment: 'Original title' },
    { id: 2, name: 'lantern keep' },
    { id: 3, name: 'LK', comment: 'Acronym' },
  ],
  game_localizations: [{ id: 1, name: 'Laternenfeste', region: { id: 1, identifier: 'EU' } }],
  websites: [
    { id: 1, type: { id: 13, type: 'Steam' }, url: 'https://store.example/app/1' },
    { id: 2, url: 'javascript:alert(1)' },
    { id: 3, url: 'https://store.example/app/1' },
  ],
  videos: [{ id: 1, video_id: 'dQw4w9WgXcQ', name: 'Trailer' }, { id: 2, video_id: '"><b' }, { id: 3 }],
  external_games: [
    {
      id: 1,
      uid: '42',
      url: 'https://store.example/app/42',
      name: 'Lantern Keep',
      external_game_source: named('Steam', 0),
    },
    { id: 2, uid: 'lk', url: 'ftp://store.example' },
    { id: 3, url: 'https://store.example/nothing' },
  ],
  age_ratings: [
    { id: 5, organization: named('PEGI', 1), rating_category: { id: 900, rating: '12' }, synopsis: 'Mild peril' },
    { id: 6, organization: named('ESRB', 0), rating_category: { id: 901, rating: 'T' } },
    { id: 7, organization: named('USK', 3) },
  ],
  language_supports: [
    { id: 1, language: { id: 1, name: 'English' }, language_support_type: named('Audio', 0) },
    { id: 2, language: { id: 1, name: 'English' }, language_support_type: named('Subtitles', 1) },
    { id: 3, language: { id: 2, name: 'Japanese' }, language_support_type: named('Audio', 0) },
  ],
  multiplayer_modes: [
    {
      id: 1,
      campaigncoop: true,
      dropin: false,
      lancoop: false,
      offlinecoop: true,
      onlinecoop: false,
      splitscreen: true,
      splitscreenonline: false,
      offlinemax: 4,
      offlinecoopmax: 2,
      platform: named('Switch', 129),
    },
    { id: 2, onlinecoop: true, onlinemax: 8, onlinecoopmax: 3 },
  ],
  ...RELATED,
  ...RATINGS,
}

export const KEEPERS = [
  {
    id: 1,
    name: 'Mira',
    akas: ['The Keeper', 'mira'],
    description: 'Keeps the lanterns.',
    character_gender: named('Female', 1),
    character_species: named('Human', 0),
    country_name: 'Norway',
    mug_shot: { id: 1, image_id: 'ch1' },
    games: [9001, 9002],
  },
  { id: 2, name: 'Moth', games: [9002] },
]
