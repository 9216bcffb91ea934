import { setTimeout as delay } from 'node:timers/promises'
import type { Socket as Client } from 'socket.io-client'
import { type Hub, type Kind, kinds } from './hub.ts'

/** A thing that the server does, between two waits or in the middle of a request. */
type Deed =
  | { do: 'broadcast'; side: boolean; rooms: string[]; except: string[]; id: number; bytes: number; binary: boolean }
  | { do: 'tell'; whom: string; id: number; bytes: number }
  | { do: 'tell others'; whom: string; rooms: string[]; id: number }
  | { do: 'join' | 'leave'; whom: string; room: string }
  | { do: 'drop'; whom: string; close: boolean }
  | { do: 'wait'; for: 'microtask' | 'tick' | 'turn' }

type Step =
  | { step: 'open'; name: string; kind: Kind; meanwhile: Deed[] }
  | { step: 'turn'; deeds: Deed[] }
  | { step: 'request'; whom: string; answers: { before: Deed[]; after: Deed[] }[] }
  | { step: 'quit'; whom: string }

/** Everybody joins the first at once, and leaves it as any other. */
const ROOMS = ['everybody', 'a', 'b', 'c']
/** About the bounds of the lengths of a frame, and larger than what is joined. */
const SIZES = [0, 1, 80, 90, 100, 110, 125, 126, 300, 20_000, 65_400, 65_480, 65_536, 70_000, 200_000]

export function createSchedule(random: () => number, length: number): Step[] {
  const below = (count: number) => Math.floor(random() * count)
  const pick = <T>(values: readonly [T, ...T[]] | readonly T[]): T => values[below(values.length)] as T
  const some = <T>(values: readonly T[], odds: number) => values.filter(() => random() < odds)
  const names: string[] = []
  let id = 0
  const nextId = () => {
    id += 1
    return id
  }

  const targets = () => [...ROOMS, ...names.map((name) => `own:${name}`)]
  const deed = (drops: boolean): Deed => {
    const whom = pick(names)
    const kind = below(drops ? 20 : 19)
    if (kind < 9) {
      const rooms = random() < 0.2 ? [] : [pick(targets()), ...some(ROOMS, 0.2)]
      const except = random() < 0.6 ? [] : [pick(targets()), ...some(ROOMS, 0.1)]
      const bytes = random() < 0.7 ? below(150) : pick(SIZES)
      return {
        do: 'broadcast',
        side: random() < 0.2,
        rooms,
        except,
        id: nextId(),
        bytes,
        binary: random() < 0.1,
      } satisfies Deed
    }
    if (kind < 13) return { do: 'tell', whom, id: nextId(), bytes: random() < 0.8 ? below(150) : pick(SIZES) }
    if (kind < 14) return { do: 'tell others', whom, rooms: some(ROOMS, 0.5), id: nextId() }
    if (kind < 16) return { do: 'join', whom, room: pick(ROOMS) }
    if (kind < 17) return { do: 'leave', whom, room: pick(ROOMS) }
    if (kind < 19) return { do: 'wait', for: pick(['microtask', 'tick', 'turn'] as const) }
    return { do: 'drop', whom, close: random() < 0.5 }
  }
  const deeds = (most: number, drops = false) => Array.from({ length: below(most + 1) }, () => deed(drops))
  const open = (): Step => {
    const name = `m${names.length}`
    // Only what others see is the same however long the handshake takes.
    const meanwhile = names.length > 0 ? deeds(6) : []
    names.push(name)
    return { step: 'open', name, kind: pick(kinds), meanwhile }
  }

  const steps: Step[] = [open(), open(), open(), open()]
  while (steps.length < length) {
    const kind = below(20)
    if (kind < 10) steps.push({ step: 'turn', deeds: deeds(12, true) })
    else if (kind < 16) {
      const answers = Array.from({ length: 1 + below(4) }, () => ({ before: deeds(4), after: deeds(4) }))
      const synchronous = (list: Deed[]) => list.filter((each) => each.do !== 'wait')
      steps.push({
        step: 'request',
        whom: pick(names),
        answers: answers.map(({ before, after }) => ({ before: synchronous(before), after: synchronous(after) })),
      })
    } else if (kind < 19) steps.push(open())
    else steps.push({ step: 'quit', whom: pick(names) })
  }
  return steps
}

const text = (bytes: number) => 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2)

export async function play(hub: Hub, schedule: readonly Step[]): Promise<Record<string, string[]>> {
  const { io, members } = hub

  function act(each: Deed): void {
    if (each.do === 'broadcast') {
      const payload = each.binary ? Buffer.alloc(each.bytes) : text(each.bytes)
      io.of(each.side ? '/side' : '/')
        .to(each.rooms)
        .except(each.except)
        .emit('news', each.id, payload)
    } else if (each.do === 'tell') {
      hub.socketOf(each.whom)?.emit('word', each.id, text(each.bytes))
    } else if (each.do === 'tell others') {
      hub.socketOf(each.whom)?.to(each.rooms).emit('rumour', each.id)
    } else if (each.do === 'join') {
      void hub.socketOf(each.whom)?.join(each.room)
    } else if (each.do === 'leave') {
      void hub.socketOf(each.whom)?.leave(each.room)
    } else if (each.do === 'drop') {
      hub.socketOf(each.whom)?.disconnect(each.close)
    }
  }

  async function actAll(list: readonly Deed[]): Promise<void> {
    for (const each of list) {
      if (each.do !== 'wait') act(each)
      else if (each.for === 'microtask') await Promise.resolve()
      else if (each.for === 'tick') await new Promise<void>((resolve) => process.nextTick(resolve))
      else await new Promise<void>((resolve) => setImmediate(resolve))
    }
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

  for (const each of schedule) {
    if (each.step === 'open') {
      const opened = hub.open(each.name, each.kind)
      const isForNewcomers = ({ rooms }: { rooms: string[] }) => rooms.length === 0 || rooms.includes('everybody')
      await actAll(each.meanwhile.filter((deed) => !('side' in deed && deed.side && isForNewcomers(deed))))
      await opened
    } else if (each.step === 'turn') {
      await actAll(each.deeds)
    } else if (each.step === 'quit') {
      members.get(each.whom)?.client.io.engine.close()
    } else {
      const client = members.get(each.whom)?.client
      hub.onAct = (_name, request, ack) => {
        for (const deed of each.answers[request]?.before ?? []) act(deed)
        ack(request)
        for (const deed of each.answers[request]?.after ?? []) act(deed)
      }
      if (client?.connected) {
        for (const request of each.answers.keys()) {
          client.emit('act', request, (answer: number) => members.get(each.whom)?.seen.push(`answer ${answer}`))
        }
      }
    }
    await settle()
  }
  return Object.fromEntries([...members].map(([name, { seen }]) => [name, seen]))
}
