/** Creates a value on the first call and keeps it. A failure is not kept: the next call tries again. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    if (made !== undefined) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise)
      value.catch(() => {
        made = undefined
      })
    return value
  }
}
