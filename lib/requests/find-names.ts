import type { Collection, ObjectId } from 'mongodb'
import type { RequestKind } from '../contract/requests.ts'
import type { UserDocument } from '../db/collections/users.ts'
import { findByIds, mapByIds } from '../db/find-by-ids.ts'
import type { RequestsDeps } from './deps.ts'
import type { RequestNames, RequestRow } from './to-wire.ts'

type Named = Pick<RequestRow, 'kind' | 'userId' | 'targetId' | 'resultId'>

interface Entry {
  _id: ObjectId
  name: string
  slug: string
}

/** Finds the names of authors, targets and results of requests, with one query of a collection at most. */
export async function findNames({ db }: Pick<RequestsDeps, 'db'>, rows: readonly Named[]): Promise<RequestNames> {
  const authorIds = rows.map(({ userId }) => userId)
  const entriesOf = (collection: Pick<Collection<Entry>, 'find'>, wanted: RequestKind) => {
    const ids = rows.flatMap(({ kind, targetId, resultId }) =>
      kind === wanted ? [targetId ?? [], resultId ?? []] : [],
    )
    return mapByIds<Entry>(collection, ids.flat(), { name: 1, slug: 1 })
  }
  const [authors, game, character] = await Promise.all([
    findByIds<Pick<UserDocument, '_id' | 'userName'>>(db.users, authorIds, { userName: 1 }),
    entriesOf(db.games, 'game'),
    entriesOf(db.characters, 'character'),
  ])
  return {
    users: new Map(authors.map(({ _id, userName }) => [_id.toHexString(), userName])),
    entries: { game, character },
  }
}
