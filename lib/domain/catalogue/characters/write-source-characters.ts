import type { ClientSession, ObjectId } from 'mongodb'
import { distinctIds } from '#lib/base/values/distinct-ids'
import { listIn } from '#lib/infrastructure/db/expressions'
import { mapByIds } from '#lib/infrastructure/db/find-by-ids'
import type { CatalogueDeps } from '../deps.ts'
import type { PreparedCharacters } from './copy-mug-shots.ts'
import { insertCharacters } from './insert-characters.ts'
import { matchSourceCharacters } from './match-source-characters.ts'

type WriteDeps = Pick<CatalogueDeps, 'db' | 'clock'>

interface WriteInput {
  gameId: ObjectId
  prepared: PreparedCharacters
  session: ClientSession
}

async function addGame({ db }: WriteDeps, ids: ObjectId[], { gameId, session }: WriteInput): Promise<void> {
  if (ids.length === 0) return
  await db.characters.updateMany(
    { _id: { $in: ids }, gameIds: { $ne: gameId } },
    [{ $set: { gameIds: { $concatArrays: [listIn('$gameIds'), [gameId]] }, updatedAt: '$$NOW' } }],
    { session },
  )
}

/**
 * Writes the characters of an entry in a transaction. Characters that the catalogue has, perhaps only since the preparation,
 * get the game and are answered as `linked`; the others are created.
 */
export async function writeSourceCharacters(deps: WriteDeps, input: WriteInput) {
  const { gameId, prepared, session } = input
  const { fields, newcomers } = prepared
  const now = await matchSourceCharacters(deps, { gameId, fields, characters: newcomers }, { session })
  const matched = new Map([...prepared.matched, ...now])
  const ids = newcomers.map(({ _id }) => _id)
  // A refused insert would abort the transaction.
  const stored = await mapByIds(deps.db.characters, ids, { _id: 1 }, { session })

  const unmatched = newcomers.filter(({ name }) => !matched.has(name))
  const created = unmatched.filter(({ _id }) => !stored.has(_id.toHexString()))
  for (const { name, _id } of unmatched) if (stored.has(_id.toHexString())) matched.set(name, _id)
  const characters = created.map(({ games: _, ...character }) => character)
  await insertCharacters(deps, characters, { session })
  const linked = distinctIds([...matched.values()])
  await addGame(deps, linked, input)
  return { created, linked, superseded: newcomers.filter(({ _id, name }) => matched.get(name)?.equals(_id) === false) }
}
