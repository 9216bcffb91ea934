import type { RequestKind } from '../contract/requests.ts'
import type { ConflictDocument, StoredEntry, StoredSubject } from '../db/collections/conflicts.ts'
import type { GameDocument } from '../db/collections/games.ts'
import type { PlatformDocument } from '../db/collections/platforms.ts'
import characters from './data/characters.json' with { type: 'json' }
import comments from './data/comments.json' with { type: 'json' }
import conflicts from './data/conflicts.json' with { type: 'json' }
import entriesConflicts from './data/entries-conflicts.json' with { type: 'json' }
import games from './data/games.json' with { type: 'json' }
import platforms from './data/platforms.json' with { type: 'json' }
import requests from './data/requests.json' with { type: 'json' }
import royal from './data/royal-lists.json' with { type: 'json' }
import users from './data/users.json' with { type: 'json' }

type Stored = '_id' | 'createdAt' | 'updatedAt'

/** A game by slugs: `platforms` name entries of the platform list, `parent` and `related` name other games. */
export interface SeedGame extends Omit<GameDocument, Stored | 'first_release'> {
  /** The day of the first release: 1995-03-11. */
  first_release?: string
  platforms: string[]
  igdbId?: number
  vndbId?: string
  hltbId?: string
  raGame?: { gameId: number; consoleId: number }
  parent?: string
  related?: Record<string, string[]>
}

interface SeedCharacter {
  name: string
  slug: string
  akas?: string[]
  /** Slugs. */
  games: string[]
  description: string
}

interface SeedUser {
  userName: string
  email: string
  description: string
  roles: ('user' | 'admin')[]
}

/** A comment by key: `replyTo` names the comment answered. `minutesAgo` counts back from the filling. */
export interface SeedComment {
  key: string
  game: string
  author: string
  body: string
  isSpoiler?: boolean
  replyTo?: string
  likedBy?: string[]
  reportedBy?: string[]
  status?: 'visible' | 'hidden' | 'deleted'
  minutesAgo: number
}

/**
 * A request by key. `target` is the slug of what an update is about, `result` of what an approval wrote. `platforms` and
 * `games` become `platformIds` and `gameIds` of the payload.
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
  decision?: { status: 'approved' | 'rejected'; by: string; result?: string; reason?: string; minutesAgo: number }
}

/** An entry of a source that may be one of some games, by slugs. */
export interface SeedConflict extends Omit<StoredSubject, 'platformIds'> {
  source: ConflictDocument['source']
  externalId: string
  description: string
  platforms: string[]
  url: string
  reason: string
  candidates: string[]
}

/** A game, by its slug, that may be one of some entries of HowLongToBeat. */
interface SeedEntriesConflict {
  game: string
  reason: string
  entries: StoredEntry[]
}

// A test holds every row against a schema; what JSON's types say of texts and missing fields is too wide.
const read = <T>(json: unknown) => json as T

export const seedPlatforms = read<Omit<PlatformDocument, Stored>[]>(platforms)
export const seedGames = read<SeedGame[]>(games)
export const seedCharacters = read<SeedCharacter[]>(characters)
export const seedUsers = read<SeedUser[]>(users)
export const seedComments = read<SeedComment[]>(comments)
export const seedRequests = read<SeedRequest[]>(requests)
export const seedConflicts = read<SeedConflict[]>(conflicts)
export const seedEntriesConflicts = read<SeedEntriesConflict[]>(entriesConflicts)
export const royalLists = read<Record<string, string[]>>(royal)
