import type { RequestKind, RequestStatus } from '../../contract/requests.ts'
import { day } from './games.ts'

/**
 * A request by key. `target` is the slug of what an update is about, `result` of what an approval wrote. `platforms` and
 * `games` become `platformIds` and `gameIds` of the payload. `minutesAgo` counts back from the filling.
 */
export interface SeedRequest {
  key: string
  author: string
  kind: RequestKind
  target?: string
  payload: Record<string, unknown>
  platforms?: string[]
  games?: string[]
  sources: string[]
  note?: string
  minutesAgo: number
  decision?: {
    status: Extract<RequestStatus, 'approved' | 'rejected'>
    by: string
    result?: string
    reason?: string
    minutesAgo: number
  }
}

export const seedRequests: readonly SeedRequest[] = [
  {
    key: 'add-vagrant-story',
    author: 'alice',
    kind: 'game',
    payload: {
      name: 'Vagrant Story',
      alternative_names: ['ベイグラントストーリー'],
      type: 'Main Game',
      status: 'Released',
      first_release: day('2000-02-10'),
      summary:
        'One agent, one drowned city and a crossbow that needs time. Each weapon learns what it is used against, so the right one is always in the other room.',
      genres: ['Role-playing (RPG)', 'Adventure'],
      modes: ['Single player'],
      companies: [{ name: 'Square', developer: true, publisher: true }],
      cover: 'https://example.com/images/vagrant-story-cover.jpg',
      screenshots: ['https://example.com/images/vagrant-story-1.jpg', 'https://example.com/images/vagrant-story-2.jpg'],
    },
    platforms: ['ps'],
    sources: ['https://en.wikipedia.org/wiki/Vagrant_Story'],
    note: 'The date is that of the Japanese release. I have no scan of the back of the box.',
    minutesAgo: 2_915,
  },
  {
    key: 'silent-hill-2-keywords',
    author: 'bob',
    kind: 'game',
    target: 'silent-hill-2',
    payload: {
      keywords: ['psychological horror', 'fog', 'fixed camera', 'multiple endings'],
      languages: ['English', 'Japanese'],
    },
    sources: ['https://en.wikipedia.org/wiki/Silent_Hill_2'],
    note: 'The camera belongs in there. You know why.',
    minutesAgo: 1_702,
  },
  {
    key: 'add-maria',
    author: 'bob',
    kind: 'character',
    payload: {
      name: 'Maria',
      gender: 'Female',
      species: 'Human',
      description:
        'She waits in the park, looks like somebody else and knows things that only that somebody could know.',
      mugShot: 'https://example.com/images/maria.png',
    },
    games: ['silent-hill-2', 'silent-hill-2-2024'],
    sources: ['https://en.wikipedia.org/wiki/Characters_of_the_Silent_Hill_series'],
    minutesAgo: 1_688,
  },
  {
    key: 'ness-akas',
    author: 'alice',
    kind: 'character',
    target: 'ness',
    payload: { akas: ['ネス'], countryName: 'Eagleland' },
    sources: ['https://en.wikipedia.org/wiki/Ness_(EarthBound)'],
    minutesAgo: 640,
  },
  {
    key: 'ikaruga-genres',
    author: 'alice',
    kind: 'game',
    target: 'ikaruga',
    payload: { modes: ['Single player', 'Co-operative'], themes: ['Action', 'Science fiction'] },
    sources: [],
    note: 'Two can play it at once, and should.',
    minutesAgo: 9_420,
    decision: { status: 'approved', by: 'carol', result: 'ikaruga', reason: 'Thank you!', minutesAgo: 9_100 },
  },
  {
    key: 'add-doom-4',
    author: 'bob',
    kind: 'game',
    payload: { name: 'Doom 4', type: 'Main Game', status: 'Cancelled', developer: 'id Software' },
    sources: ['https://en.wikipedia.org/wiki/Doom_(2016_video_game)'],
    note: 'They showed a city and then nothing for years.',
    minutesAgo: 8_030,
    decision: {
      status: 'rejected',
      by: 'carol',
      reason:
        'That project was begun anew and came out as Doom in 2016, which is in the catalogue. Suggest the working title as another name of it instead.',
      minutesAgo: 7_950,
    },
  },
]
