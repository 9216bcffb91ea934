function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** True when a stored value is absent, null, or an empty text, list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.keys(value).length === 0
}

type WithoutEmpty<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Leaves out fields without a value: they are absent in a stored document. */
export function withoutEmpty<T extends object>(fields: T): WithoutEmpty<T> {
  const entries = Object.entries(fields).filter(([, value]) => !isEmpty(value))
  // The entries come from `fields`, so their names and types are those of T.
  return Object.fromEntries(entries) as WithoutEmpty<T>
}
