import type { ObjectId } from 'mongodb'
import type { CommentsDeps } from './deps.ts'

type Needs = Pick<CommentsDeps, 'commentCaches'>

const keyOf = (gameId: ObjectId, isAdmin: boolean) => `${gameId.toHexString()}:${isAdmin}`

/**
 * The number of listed comments of a game, remembered per role. A count that a write overtook is used by those who asked
 * before the write, and forgotten for everybody after it.
 */
export function rememberTotal(
  { commentCaches: { totals } }: Needs,
  { gameId, isAdmin }: { gameId: ObjectId; isAdmin: boolean },
  count: () => Promise<number>,
): Promise<number> {
  const key = keyOf(gameId, isAdmin)
  const known = totals.get(key)
  if (known !== undefined) return known.total

  const entry = { total: count() }
  totals.set(key, entry)
  entry.total.catch(() => {
    if (totals.peek(key) === entry) totals.delete(key)
  })
  return entry.total
}

/** Forgets the counts of a game; called by whatever changed which comments are listed. */
export function forgetTotals({ commentCaches: { totals } }: Needs, gameId: ObjectId): void {
  totals.delete(keyOf(gameId, true))
  totals.delete(keyOf(gameId, false))
}
