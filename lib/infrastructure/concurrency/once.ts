/** Makes something when it is first asked for, and keeps it. A failure is not kept: the next who asks tries again. */
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
