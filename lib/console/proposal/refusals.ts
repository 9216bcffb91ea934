/** The service's refusals; the path is that of the refused value: `payload.release_dates.0.date`. */
export type Refusals = readonly { path: string; message: string }[]

export const findExact = (refusals: Refusals, path: string): string | undefined =>
  refusals.find((refusal) => refusal.path === path)?.message

/** The refusal of a value or of a part of it. */
export function findRefusal(refusals: Refusals, path: string): string | undefined {
  const part = refusals.find((refusal) => refusal.path.startsWith(`${path}.`))
  const line = Number(part?.path.slice(path.length + 1))
  return findExact(refusals, path) ?? (Number.isInteger(line) ? `Line ${line + 1}: ${part?.message}` : part?.message)
}
