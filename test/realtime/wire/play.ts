import { setTimeout as delay } from 'node:timers/promises'
import type { Socket as Client } from 'socket.io-client'
import { type Hub, kinds } from './hub.ts'

/** Every socket joins the first room when it connects, and may leave it later. */
const ROOMS = ['everybody', 'a', 'b', 'c']
/** Sizes around the limits of the length field of a frame, and larger than a joined write. */
const SIZES = [0, 1, 80, 90, 100, 110, 125, 126, 300, 20_000, 65_400, 65_480, 65_536, 70_000, 200_000]

/** Lets the server and its clients act as `random` chooses for a number of steps. Answers the events of each client. */
export async function play(hub: Hub, random: () => number, steps: number): Promise<Record<string, string[]>> {
  const { io, members } = hub
  const names: string[] = []
  let id = 0
  const below = (count: number) => Math.floor(random() * count)
  // Every list that is chosen from has something in it.
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const some = <T>(values: readonly T[], odds: number) => values.filter(() => random() < odds)
  const pickRoom = () => pick([...ROOMS, ...names.map((name) => `own:${name}`)])
  const makeText = () => {
    const bytes = random() < 0.7 ? below(150) : pick(SIZES)
    return 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2)
  }

  /** Does one thing at the server. During a handshake an event that its client may or may not see is left out. */
  function act({ isHandshake = false, canDrop = false } = {}): void {
    // The draws do not depend on who is connected, so that both hubs draw the same.
    const [whom, kind, dice] = [pick(names), below(canDrop ? 18 : 17), random()]
    const [room, common, rooms, text] = [pickRoom(), pick(ROOMS), some(ROOMS, 0.2), makeText()]
    const socket = hub.socketOf(whom)
    id += 1
    if (kind < 9) {
      const targets = dice < 0.2 ? [] : [room, ...rooms]
      const except = random() < 0.6 ? [] : [pickRoom(), ...some(ROOMS, 0.1)]
      const isSide = random() < 0.2
      const payload = random() < 0.1 ? Buffer.from(text) : text
      if (isHandshake && isSide && (targets.length === 0 || targets.includes('everybody'))) return
      io.of(isSide ? '/side' : '/')
        .to(targets)
        .except(except)
        .emit('news', id, payload)
    } else if (kind < 13) socket?.emit('word', id, text)
    else if (kind < 14) socket?.to(rooms).emit('rumour', id)
    else if (kind < 16) void socket?.join(common)
    else if (kind < 17) void socket?.leave(common)
    else socket?.disconnect(dice < 0.5)
  }

  /** Does up to `most` things, in one turn of the event loop or several. */
  async function actOften(most: number, options: Parameters<typeof act>[0] = {}): Promise<void> {
    for (let left = below(most + 1); left > 0; left -= 1) {
      if (random() < 0.9) act(options)
      else await new Promise<void>((resolve) => pick([queueMicrotask, process.nextTick, setImmediate])(resolve))
    }
  }

  async function open(): Promise<void> {
    const name = `m${names.length}`
    const opened = hub.open(name, pick(kinds))
    if (names.length > 0) await actOften(6, { isHandshake: true })
    names.push(name)
    await opened
  }

  /** Sends requests; the server does other things before and after each answer. */
  function request(whom: string): void {
    const member = members.get(whom)
    hub.onAct = (request, ack) => {
      for (let left = below(5); left > 0; left -= 1) act()
      ack(request)
      for (let left = below(5); left > 0; left -= 1) act()
    }
    if (!member?.client.connected) return
    for (let left = 1 + below(4); left > 0; left -= 1)
      member.client.emit('act', left, (answer: number) => member.seen.push(`answer ${answer}`))
  }

  async function settle(): Promise<void> {
    const areSettled = await Promise.all(
      [...members.values()].flatMap(({ name, client, side }) => [
        isSettled(client, () => hub.socketOf(name) !== undefined),
        isSettled(side, () => side.connected),
      ]),
    )
    if (areSettled.includes(false)) await settle()
  }

  async function isSettled(client: Client, isOpen: () => boolean): Promise<boolean> {
    while (client.connected !== isOpen()) await delay(2)
    if (!client.connected) return true
    const isLost = new Promise<boolean>((resolve) => client.once('disconnect', () => resolve(false)))
    const isAnswered = client
      .timeout(30_000)
      .emitWithAck('barrier')
      .then(() => true)
    return Promise.race([isAnswered, isLost])
  }

  for (let step = 0; step < steps; step += 1) {
    const kind = step < 4 ? 16 : below(20)
    if (kind < 10) await actOften(12, { canDrop: true })
    else if (kind < 16) request(pick(names))
    else if (kind < 19) await open()
    else members.get(pick(names))?.client.io.engine.close()
    await settle()
  }
  return Object.fromEntries([...members].map(([name, { seen }]) => [name, seen]))
}
