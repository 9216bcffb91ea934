import type { ClientSession, ObjectId } from 'mongodb'
import { duplicateKeyField } from '../db/duplicate-key.ts'
import { distinctIds } from '../values/distinct-ids.ts'
import type { Newcomer, PreparedCharacters } from './copy-mug-shots.ts'
import type { CharactersDeps } from './deps.ts'
import { insertCharacter } from './insert-character.ts'
import { matchSourceCharacters } from './match-source-characters.ts'

type WriteDeps = Pick<CharactersDeps, 'db' | 'clock'>

interface WriteInput {
  gameId: ObjectId
  prepared: PreparedCharacters
  signal?: AbortSignal | undefined
  session?: ClientSession | undefined
}

interface WrittenCharacters {
  created: Newcomer[]
  /** Characters that were stored before and have the game now. */
  linked: ObjectId[]
  /** Characters that another process created since they were prepared. */
  superseded: Newcomer[]
}

/** Newcomers that are stored already: in a transaction the refused insert would end it. */
async function findStored(
  { db }: WriteDeps,
  newcomers: readonly Newcomer[],
  session?: ClientSession,
): Promise<Set<string>> {
  if (session === undefined || newcomers.length === 0) return new Set()
  const ids = newcomers.map(({ _id }) => _id)
  const rows = await db.characters.find({ _id: { $in: ids } }, { projection: { _id: 1 }, session }).toArray()
  return new Set(rows.map(({ _id }) => _id.toHexString()))
}

/** @returns null once it is inserted, else the id of the same character that was created meanwhile */
async function insertUnlessStored(deps: WriteDeps, newcomer: Newcomer, input: WriteInput): Promise<ObjectId | null> {
  const { games: _, ...character } = newcomer
  const { gameId, prepared, session } = input
  const findRival = async () =>
    (await matchSourceCharacters(deps, { gameId, fields: prepared.fields, characters: [newcomer] })).get(newcomer.name)
  try {
    // The holder of the slug may be the same character, of a transaction that ended just now.
    await insertCharacter(deps, character, { session, mayTakeAnother: async () => (await findRival()) === undefined })
    return null
  } catch (error) {
    const key = session === undefined ? duplicateKeyField(error) : undefined
    const met = key === 'slug' ? await findRival() : key === '_id' ? newcomer._id : undefined
    if (met === undefined) throw error
    return met
  }
}

async function giveGame({ db }: WriteDeps, ids: ObjectId[], { gameId, session }: WriteInput): Promise<void> {
  if (ids.length === 0) return
  const listed = { $cond: [{ $isArray: '$gameIds' }, '$gameIds', []] }
  await db.characters.updateMany(
    { _id: { $in: ids }, gameIds: { $ne: gameId } },
    [{ $set: { gameIds: { $concatArrays: [listed, [gameId]] }, updatedAt: '$$NOW' } }],
    { ...(session && { session }) },
  )
}

/**
 * Writes the characters of an entry: characters that the catalogue has, also since they were prepared, are given the game;
 * the others are created.
 */
export async function writeSourceCharacters(deps: WriteDeps, input: WriteInput): Promise<WrittenCharacters> {
  const { gameId, prepared, signal, session } = input
  const { fields, newcomers } = prepared
  const now = await matchSourceCharacters(deps, { gameId, fields, characters: newcomers, session })
  const matched = new Map([...prepared.matched, ...now])
  const stored = await findStored(deps, newcomers, session)

  const created: Newcomer[] = []
  for (const newcomer of newcomers) {
    if (matched.has(newcomer.name)) continue
    signal?.throwIfAborted()
    const isStored = stored.has(newcomer._id.toHexString())
    const met = isStored ? newcomer._id : await insertUnlessStored(deps, newcomer, input)
    if (met === null) created.push(newcomer)
    else matched.set(newcomer.name, met)
  }
  const linked = distinctIds([...matched.values()])
  await giveGame(deps, linked, input)
  return { created, linked, superseded: newcomers.filter(({ _id, name }) => matched.get(name)?.equals(_id) === false) }
}
