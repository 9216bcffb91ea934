import { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import type { ActiveDiscussion } from '../../contract/comments.ts'
import { RECENT_COMMENTS_MAX, TAKE_MAX } from '../../contract/limits.ts'
import { type CommentDocument, NEWEST_FIRST } from '../../infrastructure/db/collections/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import { mapImages } from '../../infrastructure/storage/image-fields.ts'
import { toExcerpt } from '../markup/to-excerpt.ts'
import type { CommentsDeps } from './deps.ts'
import { findAuthors } from './to-wire.ts'

export type ActiveDiscussions = ReturnType<typeof createActiveDiscussions>

type Deps = Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>
type LastComment = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'body' | 'isSpoiler' | 'status' | 'createdAt'>
const ONE_BATCH = { limit: RECENT_COMMENTS_MAX, batchSize: RECENT_COMMENTS_MAX + 1 }

async function findRecentGames({ db }: Deps) {
  const recent = await db.comments
    .find<Pick<CommentDocument, '_id' | 'gameId'>>(
      { status: 'visible' },
      { projection: { gameId: 1 }, hint: NEWEST_FIRST, ...ONE_BATCH },
    )
    .sort({ createdAt: -1, _id: -1 })
    .toArray()
  const games = new Map<string, { gameId: ObjectId; lastId: ObjectId; commentsCount: number }>()
  for (const { _id, gameId } of recent) {
    const game = games.get(gameId.toHexString())
    if (game === undefined) games.set(gameId.toHexString(), { gameId, lastId: _id, commentsCount: 1 })
    else game.commentsCount += 1
  }
  return [...games.values()]
}

async function readActiveDiscussions(deps: Deps): Promise<ActiveDiscussion[]> {
  const recent = await findRecentGames(deps)
  const found = await mapByIds<{ _id: ObjectId; name: string; slug: string; cover?: string | null }>(
    deps.db.games,
    recent.map(({ gameId }) => gameId),
    { name: 1, slug: 1, cover: 1 },
  )
  const listed = recent.filter(({ gameId }) => found.has(gameId.toHexString())).slice(0, TAKE_MAX)
  const comments = await mapByIds<LastComment>(
    deps.db.comments,
    listed.map(({ lastId }) => lastId),
    { userId: 1, parentId: 1, body: 1, isSpoiler: 1, status: 1, createdAt: 1 },
  )
  const authors = await findAuthors(
    deps,
    [...comments.values()].map(({ userId }) => userId),
  )
  return listed.flatMap(({ gameId, lastId, commentsCount }) => {
    const game = found.get(gameId.toHexString())
    const last = comments.get(lastId.toHexString())
    // Leaves out a comment that was hidden between the two reads.
    if (game === undefined || last?.status !== 'visible') return []
    return {
      game: mapImages(
        { _id: gameId.toHexString(), name: game.name, slug: game.slug, cover: game.cover ?? null },
        deps.storage.addressOf,
      ),
      commentsCount,
      last: {
        _id: lastId.toHexString(),
        author: authors.get(last.userId.toHexString())?.author ?? null,
        createdAt: last.createdAt.toISOString(),
        excerpt: last.isSpoiler ? '' : toExcerpt(last.body),
        isSpoiler: last.isSpoiler,
        parentId: last.parentId?.toHexString() ?? null,
      },
    }
  })
}

const ALL = 'all'
const CACHE_MS = 2_000

/** Lists the games with the latest comments, newest first; cached for 2 seconds for all callers. */
export function createActiveDiscussions(deps: Deps) {
  const cache = new LRUCache<typeof ALL, ActiveDiscussion[]>({
    max: 1,
    ttl: CACHE_MS,
    fetchMethod: () => readActiveDiscussions(deps),
  })
  return { read: async (): Promise<readonly ActiveDiscussion[]> => (await cache.fetch(ALL)) ?? [] }
}
