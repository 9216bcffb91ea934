import { DEMO_PASSWORD } from '../../domain/auth/demo-users.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { buildCharacterKeys } from '../../domain/catalogue/characters/insert-characters.ts'
import { buildGameKeys } from '../../domain/catalogue/games/insert-game.ts'
import type { CharacterDocument } from '../../infrastructure/db/collections/characters.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import characters from './data/characters.json' with { type: 'json' }
import comments from './data/comments.json' with { type: 'json' }
import conflicts from './data/conflicts.json' with { type: 'json' }
import contentRequests from './data/content-requests.json' with { type: 'json' }
import games from './data/games.json' with { type: 'json' }
import notifications from './data/notifications.json' with { type: 'json' }
import platforms from './data/platforms.json' with { type: 'json' }
import reports from './data/reports.json' with { type: 'json' }
import staffActions from './data/staff-actions.json' with { type: 'json' }
import users from './data/users.json' with { type: 'json' }
import type { SeedTable } from './seed-rows.ts'

const stamp = (at: Date) => ({ createdAt: at, updatedAt: at })

export const PLATFORMS: SeedTable = {
  collection: 'platforms',
  rows: platforms,
  complete: (row, at) => ({ ...row, ...stamp(at) }),
}

export const GAMES: SeedTable = {
  collection: 'games',
  rows: games,
  // The rows are games without the fields added here.
  complete: (row, at) => ({ ...row, ...stamp(at), ...buildGameKeys(row as GameDocument) }),
}

export const CHARACTERS: SeedTable = {
  collection: 'characters',
  rows: characters,
  // The rows are characters without the fields added here.
  complete: (row, at) => ({ ...row, ...stamp(at), ...buildCharacterKeys(row as CharacterDocument) }),
}

export const CONFLICTS: SeedTable = { collection: 'conflicts', rows: conflicts }

export const USERS: SeedTable = {
  collection: 'users',
  rows: users,
  complete: async (row, at) => ({ ...stamp(at), ...row, passwordHash: await hashPassword(DEMO_PASSWORD) }),
}

export const COMMENTS: SeedTable = { collection: 'comments', rows: comments }
export const REPORTS: SeedTable = { collection: 'reports', rows: reports }
export const REQUESTS: SeedTable = { collection: 'contentRequests', rows: contentRequests }
export const NOTIFICATIONS: SeedTable = { collection: 'notifications', rows: notifications }
export const STAFF_ACTIONS: SeedTable = { collection: 'staffActions', rows: staffActions }
