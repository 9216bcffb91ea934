import { ObjectId } from 'mongodb'
import { io, type Socket } from 'socket.io-client'
import type { RoyalClientEvents, RoyalServerEvents } from '../../lib/contract/royal-namespace.ts'
import type { Database } from '../../lib/db/connect.ts'
import { changeList, withAdded } from '../../lib/royal/change-list.ts'
import { startChild } from './child.ts'
import { median } from './load.ts'
import { heading, line, micros, ratio } from './report.ts'
import type { Scene } from './scene.ts'

const REQUESTS = 400

/** The round trip of `royal:add` with one game against the update that it consists of, sent straight to the database. */
export async function benchRoyal(uri: string, db: Database, { games, viewer }: Scene): Promise<void> {
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  const socket: Socket<RoyalServerEvents, RoyalClientEvents> = io(
    `http://127.0.0.1:${await server.ask('port')}/royal`,
    {
      transports: ['websocket'],
      extraHeaders: { cookie: viewer.cookie },
    },
  )
  await socket.emitWithAck('royal:sync', {})
  const _id = new ObjectId(viewer.id)
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const timed = async (list: number[], work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    list.push((performance.now() - startedAt) * 1000)
  }
  const game = (index: number) => games[index % games.length] ?? ''

  for (let index = 0; index < REQUESTS; index++) {
    await timed(times.ours, () => socket.emitWithAck('royal:add', { gameIds: [game(index)] }))
    await db.users.updateOne({ _id }, { $pull: { royalGames: new ObjectId(game(index)) } })
    await timed(times.bare, () => changeList({ db }, { userId: viewer.id, next: withAdded([game(index)], 'end') }))
    await db.users.updateOne({ _id }, { $pull: { royalGames: new ObjectId(game(index)) } })
  }
  socket.disconnect()
  await server.stop()

  heading('royal:add of one game, p50')
  line('gamehall: socket, existence check, update, ack', micros(median(times.ours)))
  line('the bare update', micros(median(times.bare)))
  ratio('ours / bare', median(times.ours) / median(times.bare), { atMost: 1.5 })
}
