import type { Collection, ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { findByIds, mapByIds } from '../db/find-by-ids.ts'
import type { RequestsDeps } from './deps.ts'
import type { RequestNames, RequestRow } from './to-wire.ts'

type Named = Pick<RequestRow, 'kind' | 'userId' | 'targetId' | 'resultId'>

type Author = Pick<SessionUser, '_id' | 'userName'>

interface Entry {
  _id: ObjectId
  name: string
  slug: string
}

async function findEntries(
  collection: Pick<Collection<Entry>, 'find'>,
  rows: readonly Named[],
): Promise<ReadonlyMap<string, Entry>> {
  const ids = rows.flatMap(({ targetId, resultId }) => [targetId ?? [], resultId ?? []].flat())
  return await mapByIds<Entry>(collection, ids, { name: 1, slug: 1 })
}

/**
 * Finds the names of authors, targets and results of requests, with one query of a collection at most; none for a known
 * author.
 */
export async function findNames(
  { db }: Pick<RequestsDeps, 'db'>,
  rows: readonly Named[],
  { author }: { author?: Author } = {},
): Promise<RequestNames> {
  const authorIds = rows.map(({ userId }) => userId)
  const [authors, game, character] = await Promise.all([
    author === undefined ? findByIds<Author>(db.users, authorIds, { userName: 1 }) : [author],
    findEntries(
      db.games,
      rows.filter(({ kind }) => kind === 'game'),
    ),
    findEntries(
      db.characters,
      rows.filter(({ kind }) => kind === 'character'),
    ),
  ])
  return {
    users: new Map(authors.map(({ _id, userName }) => [_id.toHexString(), userName])),
    entries: { game, character },
  }
}
