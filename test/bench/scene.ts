import { ObjectId } from 'mongodb'
import { type Database, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import type { TestUser } from '../support/clients/caller.ts'
import { cookieOf, insertComment, insertGame, insertUser } from '../support/rows/rows.ts'

export const BENCH_SECRET = 'a secret of at least thirty-two characters'

/** Returns the address of another database on the same server. */
export function addressOf(uri: string, name: string): string {
  const address = new URL(uri)
  address.pathname = name
  return address.href
}

/** Prepares the database of one bench, and returns its address. */
export async function prepareBenchDatabase(uri: string, name: string): Promise<string> {
  const address = addressOf(uri, name)
  await prepareDatabase(address)
  return address
}

export type Scene = Awaited<ReturnType<typeof fillScene>>

const AUTHORS = 30
const COMMENTS = 200
export const VOTES = 2_000
const VOTERS = 20
const GAMES = 500

export async function fillScene(db: Database) {
  const deps = { db, jwtSecret: BENCH_SECRET }
  const authors: TestUser[] = []
  for (let index = 0; index < AUTHORS; index++) authors.push(await insertUser(deps, { userName: `author-${index}` }))
  const viewer = await insertUser(deps, { userName: 'viewer' })

  const games: string[] = []
  for (let index = 0; index < GAMES; index++) games.push((await insertGame(db)).toHexString())

  const insert = async (game: string, index: number) => {
    const likedBy = Array.from({ length: index % VOTERS }, () => new ObjectId())
    const { _id: userId } = authors[index % AUTHORS] ?? viewer
    const body = `<p>${'A thought about this game, at some length. '.repeat(5)}</p>`
    const facts = { gameId: new ObjectId(game), userId, body, likedBy, likesCount: likedBy.length }
    return (await insertComment(db, facts)).toHexString()
  }
  const [gameId = '', votedGame = ''] = games
  for (let index = 0; index < COMMENTS; index++) await insert(gameId, index)
  const voteIds: string[] = []
  for (let index = 0; index < VOTES; index++) voteIds.push(await insert(votedGame, index))

  return {
    gameId,
    games,
    votedGame,
    /** Comments of that game, one for each vote of a round. */
    voteIds,
    viewer: { id: viewer._id.toHexString(), cookie: await cookieOf(deps, viewer._id) },
  }
}
