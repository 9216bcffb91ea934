import { ObjectId } from 'mongodb'
import { io, type Socket } from 'socket.io-client'
import type { RoyalClientEvents, RoyalServerEvents } from '../../lib/contract/namespaces/royal.ts'
import { changeList, withAdded } from '../../lib/domain/royal/royal-list.ts'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { startServer } from './child.ts'
import { measureByTurns, timeOf } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import type { Scene } from './scene.ts'

/** Compares the round trip of `royal:add` with one game with the bare update that it consists of. */
export async function benchRoyal(uri: string, db: Database, { games, viewer }: Scene): Promise<void> {
  const server = await startServer(uri)
  const socket: Socket<RoyalServerEvents, RoyalClientEvents> = io(`http://127.0.0.1:${server.port}/royal`, {
    transports: ['websocket'],
    extraHeaders: { cookie: viewer.cookie },
  })
  await socket.emitWithAck('royal:sync', {})
  const _id = new ObjectId(viewer.id)
  const bare = { clock: () => new Date(), db, instance: 'bench' }
  const addBare = (game: string) => changeList(bare, { user: { _id } }, { next: withAdded([game], 'end') })
  const add = (game: string) => socket.emitWithAck('royal:add', { gameIds: [game] })
  const takeBack = (game: string) => db.users.updateOne({ _id }, { $pull: { royalGames: new ObjectId(game) } })

  /** Measures both sides with each of these games. */
  const compare = (picked: readonly string[]) => {
    const timed = (work: (game: string) => Promise<unknown>) => {
      const rest = [...picked]
      return async () => {
        const game = rest.shift() ?? ''
        const tookMicros = (await timeOf(() => work(game))) * 1000
        await takeBack(game)
        return { tookMicros }
      }
    }
    return measureByTurns({ ours: timed(add), bare: timed(addBare) }, { rounds: picked.length, warmUpRounds: 0 })
  }

  const half = Math.floor(games.length / 2)
  // The first games warm both sides up, and are known to the service from then on.
  for (let round = 0; round < 3; round++) await compare(games.slice(0, half))
  const [seen, unseen] = [await compare(games.slice(0, half)), await compare(games.slice(half))]
  socket.disconnect()
  await server.stop()

  for (const [title, medianOf] of [
    ['royal:add of a game that was added before by anybody, p50', seen],
    ['royal:add of a game that nobody asked this process for, p50', unseen],
  ] as const) {
    const [ours, bare] = [medianOf('ours', 'tookMicros'), medianOf('bare', 'tookMicros')]
    heading(title)
    line('gamehall: socket, existence check, update, ack', micros(ours))
    line('the bare update', micros(bare))
    ratio('ours / bare', ours / bare, { atMost: 1.25 })
  }
}
