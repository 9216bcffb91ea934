import { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import { ActiveDiscussion } from '../../contract/comments.ts'
import { RECENT_COMMENTS_MAX, TAKE_MAX } from '../../contract/limits.ts'
import { type CommentDocument, NEWEST_FIRST } from '../../infrastructure/db/collections/comments.ts'
import type { GameDocument } from '../../infrastructure/db/collections/games.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { toContract } from '../../infrastructure/db/to-contract.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { ShowDeps } from './deps.ts'
import { findAuthors } from './to-wire.ts'

export type ActiveDiscussions = ReturnType<typeof createActiveDiscussions>

type Game = Pick<GameDocument, '_id' | 'name' | 'slug' | 'cover'>
type LastComment = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'body' | 'isSpoiler' | 'status' | 'createdAt'>
const ONE_BATCH = { limit: RECENT_COMMENTS_MAX, batchSize: RECENT_COMMENTS_MAX + 1 }

async function findRecentGames({ db }: ShowDeps) {
  const recent = await db.comments
    .find<Pick<CommentDocument, '_id' | 'gameId'>>(
      { status: 'visible' },
      { projection: { gameId: 1 }, hint: NEWEST_FIRST, ...ONE_BATCH },
    )
    .sort({ createdAt: -1, _id: -1 })
    .toArray()
  const games = new Map<string, { gameId: ObjectId; lastId: ObjectId; commentsCount: number }>()
  for (const { _id, gameId } of recent) {
    const game = games.get(gameId.toHexString()) ?? { gameId, lastId: _id, commentsCount: 0 }
    games.set(gameId.toHexString(), { ...game, commentsCount: game.commentsCount + 1 })
  }
  return [...games.values()]
}

async function readActiveDiscussions(deps: ShowDeps): Promise<ActiveDiscussion[]> {
  const recent = await findRecentGames(deps)
  const gameIds = recent.map(({ gameId }) => gameId)
  const games = await mapByIds<Game>(deps.db.games, gameIds, { name: 1, slug: 1, cover: 1 })
  const listed = recent.filter(({ gameId }) => games.has(gameId.toHexString())).slice(0, TAKE_MAX)
  const lastIds = listed.map(({ lastId }) => lastId)
  const fields = { userId: 1, parentId: 1, body: 1, isSpoiler: 1, status: 1, createdAt: 1 }
  const comments = await mapByIds<LastComment>(deps.db.comments, lastIds, fields)
  const authorIds = [...comments.values()].map(({ userId }) => userId)
  const authors = await findAuthors(deps, authorIds)
  return listed.flatMap(({ gameId, lastId, commentsCount }) => {
    const game = games.get(gameId.toHexString())
    const last = comments.get(lastId.toHexString())
    // Leaves out a comment that was hidden between the two reads.
    if (game === undefined || last?.status !== 'visible') return []
    const { author } = authors.get(last.userId.toHexString()) ?? {}
    return toContract(ActiveDiscussion, {
      game: mapImages(game, deps.storage.addressOf),
      commentsCount,
      last: { ...last, author, excerpt: last.isSpoiler ? '' : toExcerpt(last.body) },
    })
  })
}

const ALL = 'all'
const CACHE_MS = 2_000

/** Lists the games with the latest comments, newest first; cached for 2 seconds for all callers. */
export function createActiveDiscussions(deps: ShowDeps) {
  const cache = new LRUCache<typeof ALL, ActiveDiscussion[]>({
    max: 1,
    ttl: CACHE_MS,
    fetchMethod: () => readActiveDiscussions(deps),
  })
  return { read: async (): Promise<readonly ActiveDiscussion[]> => (await cache.fetch(ALL)) ?? [] }
}
