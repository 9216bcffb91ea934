import { AbstractCursor } from 'mongodb'

export type Part = 'turn' | 'database' | 'sources' | 'images' | 'storage'

export type RequestParts = ReturnType<typeof createRequestParts>

/** Measures what one request waits for. Work of one part that overlaps counts once. */
export function createRequestParts() {
  const stopwatches = new Map<Part, { running: number; since: number; ms: number }>()

  return {
    async time<T>(part: Part, work: Promise<T>): Promise<T> {
      const stopwatch = stopwatches.get(part) ?? { running: 0, since: 0, ms: 0 }
      stopwatches.set(part, stopwatch)
      if (stopwatch.running === 0) stopwatch.since = performance.now()
      stopwatch.running += 1
      try {
        return await work
      } finally {
        stopwatch.running -= 1
        if (stopwatch.running === 0) stopwatch.ms += performance.now() - stopwatch.since
      }
    },
    /** Reads the milliseconds of each part so far. Work that still runs counts until now. */
    read(): Record<string, number> {
      const now = performance.now()
      const read = [...stopwatches].map(([part, { running, since, ms }]) => [
        `${part}Ms`,
        Math.round(running > 0 ? ms + now - since : ms),
      ])
      return Object.fromEntries(read)
    },
  }
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Wraps an object for one request, and measures every promise of its methods as a part, also those of nested objects and of
 * returned cursors. `AsyncLocalStorage` would need no wrapping, but slows every promise of the process down.
 */
export function measured<T extends object>(target: T, part: Part, parts: RequestParts): T {
  const wrapResult = (result: unknown) => {
    if (result instanceof Promise) return parts.time(part, result)
    return result instanceof AbstractCursor ? measured(result, part, parts) : result
  }
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'function') return (...args: unknown[]) => wrapResult(Reflect.apply(value, target, args))
      return isObject(value) ? measured(value, part, parts) : value
    },
  })
}
