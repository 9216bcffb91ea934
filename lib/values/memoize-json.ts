const texts = new WeakMap<object, string | undefined>()

/** Marks a value that never changes from now on and is sent many times: its JSON text is made once and kept with it. */
export function memoizeJson<T extends object>(value: T): T {
  if (!texts.has(value)) texts.set(value, undefined)
  return value
}

/** The JSON text of a value, made once where `memoizeJson` marked it. */
export function stringifyMemoized(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const kept = texts.get(value)
  if (kept !== undefined) return kept

  const text = JSON.stringify(value)
  if (texts.has(value)) texts.set(value, text)
  return text
}
