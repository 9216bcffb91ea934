import { lostConnection } from '#lib/client/api-error'
import type { Later } from '#lib/client/create-live'
import type { ConnectionState } from '#lib/client/socket'
import { createStore } from '#lib/client/store'

/** A request that is executed by its first step and answered by its second. */
interface Exchange {
  advance(): void
  lose(): void
}

/**
 * Everything that may happen between a client and the service, in any order that the wires allow: requests reach the
 * service and are answered in any order, a socket keeps its order in both directions, timers fire whenever.
 */
export class World {
  readonly random: () => number
  readonly connection = createStore<ConnectionState>({ status: 'connecting', lastMessageAt: null })
  private readonly exchanges = new Set<Exchange>()
  private readonly timers = new Set<() => void>()
  private up: (() => void)[] = []
  private down: (() => void)[] = []
  private lost: (() => void)[] = []
  private readonly listeners = new Map<string, ((payload: unknown) => void)[]>()
  /** Called when the socket is cut, so that the service forgets its rooms. */
  onCut = () => {}
  mayFail = true

  constructor(random: () => number) {
    this.random = random
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[Math.floor(this.random() * choices.length)]
  }

  later: Later = (run) => {
    const fire = () => {
      this.timers.delete(fire)
      run()
    }
    this.timers.add(fire)
    return () => this.timers.delete(fire)
  }

  /** Sends a request over HTTP: a later step executes it, and a step after that answers it. */
  http<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      let answer: (() => void) | undefined
      const end = (settle: () => void) => {
        this.exchanges.delete(exchange)
        settle()
      }
      const exchange: Exchange = {
        advance() {
          if (answer) return end(answer)
          try {
            const value = work()
            answer = () => resolve(value)
          } catch (error) {
            answer = () => reject(error)
          }
        },
        lose: () => end(() => reject(lostConnection(undefined))),
      }
      this.exchanges.add(exchange)
      signal?.addEventListener('abort', () => end(() => reject(signal.reason)))
    })
  }

  get isConnected(): boolean {
    return this.connection.get().status === 'live'
  }

  on = (event: string, listener: (payload: unknown) => void) => {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener])
    return () => {}
  }

  ask(work: () => unknown, onAnswer: (answer: never) => void) {
    if (!this.isConnected) return onAnswer(null as never)
    const lose = () => onAnswer(null as never)
    this.lost.push(lose)
    this.up.push(() => {
      const answer = work()
      this.down.push(() => {
        this.lost = this.lost.filter((other) => other !== lose)
        onAnswer(answer as never)
      })
    })
  }

  emit(event: string, payload: unknown) {
    if (!this.isConnected) return
    this.down.push(() => {
      for (const listener of this.listeners.get(event) ?? []) listener(payload)
    })
  }

  connect() {
    this.connection.set({ status: 'live', lastMessageAt: 0 })
  }

  /** Cuts the socket, or connects it again. */
  toggle() {
    if (this.isConnected) this.cut()
    else this.connect()
  }

  cut() {
    this.up = []
    this.down = []
    this.onCut()
    this.connection.set({ status: 'lost', lastMessageAt: 0 })
    for (const lose of this.lost.splice(0)) lose()
  }

  /** Lists what may happen next on the wires. */
  steps(): (() => void)[] {
    const [upward] = this.up
    const [downward] = this.down
    const exchange = this.pick([...this.exchanges])
    const timer = this.pick([...this.timers])
    return [
      ...(upward ? [() => void this.up.shift()?.()] : []),
      ...(downward ? [() => void this.down.shift()?.()] : []),
      ...(exchange ? [() => (this.mayFail && this.random() < 0.05 ? exchange.lose() : exchange.advance())] : []),
      ...(timer ? [timer] : []),
    ]
  }

  settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  /** Runs all steps until none is left, without failures. */
  async drain(more: () => (() => void)[] = () => []) {
    this.mayFail = false
    for (let n = 0; n < 5_000; n += 1) {
      const step = this.pick([...this.steps(), ...more()])
      if (step === undefined) return
      step()
      await this.settle()
    }
    throw new Error('The steps do not end')
  }
}
