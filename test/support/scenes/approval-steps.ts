import type { Deps } from '../../../lib/deps.ts'

interface Step {
  /** Whose method it is. */
  of(deps: Deps): object
  method: string
  /** Which calls of the method are meant; all of them when left out. */
  isMeant?(first: unknown, second: unknown): boolean
  /** How many of them are let by before. */
  after?: number
  /** Strikes when the step is done, instead of before it begins. */
  isDone?: true
}

const says =
  (word: string) =>
  (...[, update]: unknown[]): boolean =>
    JSON.stringify(update).includes(word)

const hold = { of: ({ db }: Deps) => db.leases, method: 'findOneAndUpdate' }
const claim = { of: ({ db }: Deps) => db.contentRequests, method: 'findOneAndUpdate' }
const note = {
  of: ({ db }: Deps) => db.contentRequests,
  method: 'updateOne',
  isMeant: says('"$addToSet"'),
}
const copy = { of: ({ images }: Deps) => images, method: 'copy' }
const put = { of: ({ storage }: Deps) => storage, method: 'put' }
const settle = {
  of: ({ db }: Deps) => db.contentRequests,
  method: 'updateOne',
  isMeant: says('"status":"approved"'),
}
const result = { of: ({ db }: Deps) => db.contentRequests, method: 'updateOne', isMeant: says('"resultId"') }
const commit = { of: ({ db }: Deps) => db, method: 'transaction', isDone: true } as const

/** What an approval does, in its order, as it can be made to fail or to end there. */
export const STEPS = {
  'the claim': claim,
  'the answer of the claim': { ...claim, isDone: true },
  'the sweep of what was left': { of: ({ storage }) => storage, method: 'delete' },
  'the hold of the name': hold,
  'the answer of the hold': { ...hold, isDone: true },
  'the check of the characters': { of: ({ db }) => db.characters, method: 'find' },
  'the check of the games': { of: ({ db }) => db.games, method: 'find' },
  'the parse of the source': { of: ({ sources }) => sources.vndb, method: 'read' },
  'the copy of the first image': copy,
  'the note of the first image': note,
  'the answer of the first note': { ...note, isDone: true },
  'the first upload': put,
  'the answer of the first upload': { ...put, isDone: true },
  'the copy of the last image': { ...copy, after: 2 },
  'the note of the last image': { ...note, after: 2 },
  'the last upload': { ...put, after: 2 },
  'the answer of the last upload': { ...put, after: 2, isDone: true },
  'the settle': settle,
  'the answer of the settle': { ...settle, isDone: true },
  'the insert of the game': { of: ({ db }) => db.games, method: 'insertOne' },
  'the change of the game': { of: ({ db }) => db.games, method: 'findOneAndUpdate' },
  'the insert of the character': { of: ({ db }) => db.characters, method: 'insertOne' },
  'the change of the character': { of: ({ db }) => db.characters, method: 'updateOne' },
  'the last write before the commit': result,
  'the commit': { ...result, isDone: true },
  'the answer of the commit': commit,
  'the deletion of what was replaced': { of: ({ storage }) => storage, method: 'delete' },
} as const satisfies Record<string, Step>

export type StepName = keyof typeof STEPS

/**
 * Strikes once, at the next time that a step of an approval is reached; the step then ends as the strike does.
 * @returns whether it was reached, and how to give up
 */
export function strikeAt(deps: Deps, name: StepName, strike: () => unknown): { wasReached(): boolean; end(): void } {
  const { of, method, isMeant = () => true, after = 0, isDone }: Step = STEPS[name]
  const target = of(deps)
  const own = Object.getOwnPropertyDescriptor(target, method)
  const found: unknown = Reflect.get(target, method)
  if (typeof found !== 'function') throw new Error(`there is no ${method}`)
  const original = found
  let left = after
  let wasReached = false

  function end(): void {
    Reflect.deleteProperty(target, method)
    if (own !== undefined) Object.defineProperty(target, method, own)
  }
  function stricken(...args: unknown[]): unknown {
    const call = () => original.apply(target, args)
    if (wasReached || !isMeant(args[0], args[1]) || left-- > 0) return call()
    wasReached = true
    // It gives a cursor, no promise.
    if (method === 'find') return strike()
    return isDone ? Promise.resolve(call()).then(strike) : Promise.resolve().then(strike)
  }
  Object.defineProperty(target, method, { value: stricken, configurable: true, writable: true })
  return { wasReached: () => wasReached, end }
}
