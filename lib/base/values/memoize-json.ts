const kept = new WeakMap<object, Buffer<ArrayBuffer> | undefined>()

/** Marks a value that never changes from now on and is sent many times: its JSON is made once and kept with it. */
export function memoizeJson<T extends object>(value: T): T {
  if (!kept.has(value)) kept.set(value, undefined)
  return value
}

/** The JSON of a value: as bytes made once where `memoizeJson` marked it, else as text. */
export function stringifyMemoized(value: unknown): string | Buffer<ArrayBuffer> {
  if (typeof value !== 'object' || value === null || !kept.has(value)) return JSON.stringify(value)
  const bytes = kept.get(value) ?? Buffer.from(JSON.stringify(value))
  kept.set(value, bytes)
  return bytes
}
