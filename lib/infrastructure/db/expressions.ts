/** Reads a stored list in a pipeline, or an empty one where another program left none. `$in` and `$size` take nothing else. */
export const listIn = (field: string) => ({ $cond: [{ $isArray: field }, field, []] })

/** Reads a stored count in a pipeline, or 0 where another program left none. */
export const countIn = (field: string) => ({ $cond: [{ $isNumber: field }, field, 0] })

/** Writes values as they are in a pipeline, where texts that begin with `$` would be expressions. */
export const toLiterals = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { $literal: value }]))
