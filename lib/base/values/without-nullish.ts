type WithoutNullish<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** The same fields without those that are null or undefined, which are absent in a stored document. */
export function withoutNullish<T extends object>(fields: T): WithoutNullish<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  // The entries come from `fields`, so their names and types are those of T.
  return Object.fromEntries(entries) as WithoutNullish<T>
}
