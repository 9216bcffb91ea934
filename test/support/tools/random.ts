import fc from 'fast-check'

/** Returns numbers from 0 to 1, the same for the same seed: for load whose order the service decides, which cannot shrink. */
export function randomFrom(seed: number): () => number {
  // Integers, since fast-check draws most doubles close to 0.
  const numbers = fc.infiniteStream(fc.noBias(fc.nat()))
  const [stream] = fc.sample(numbers, { seed, numRuns: 1 })
  return () => (stream?.next().value ?? 0) / 2 ** 31
}

/** Returns a function that picks an item of a list at random. */
export const pickFrom =
  (random: () => number) =>
  <T>(items: readonly T[]): T =>
    // Callers pick from lists that have items.
    items[Math.floor(random() * items.length)] as T

/**
 * Runs `count` schedules of each seed. fast-check draws their choices, so that a failing one shrinks. A choice after the
 * last drawn one is 0.
 */
export async function runSchedules(
  { count, choices, seeds = [1] }: { count: number; choices: number; seeds?: readonly number[] },
  run: (random: () => number) => Promise<void>,
): Promise<void> {
  // A bias to the bounds would make most of a schedule the first or the last choice.
  const drawn = fc.noBias(fc.uint8Array({ minLength: choices, maxLength: choices }))
  const property = fc.asyncProperty(drawn, (bytes) => {
    let next = 0
    return run(() => (bytes[next++] ?? 0) / 256)
  })
  for (const seed of seeds) await fc.assert(property, { numRuns: count, seed })
}
