/** The service's refusals by the path of the refused value: `payload.release_dates.0.date`. */
export type Refusals = ReadonlyMap<string, string>

interface Issue {
  path: string
  message: string
}

/** Collects refusals by path; the first of each path is kept. */
export function toRefusals(issues: readonly Issue[]): Refusals {
  const refusals = new Map<string, string>()
  for (const { path, message } of issues) if (!refusals.has(path)) refusals.set(path, message)
  return refusals
}

/** The refusal of a control, or of its first refused line. */
export function findRefusal(refusals: Refusals, path: string): string | undefined {
  const own = refusals.get(path)
  if (own !== undefined) return own
  for (const [each, message] of refusals) {
    const line = each.startsWith(`${path}.`) ? Number(each.slice(path.length + 1)) : Number.NaN
    if (Number.isInteger(line)) return `Line ${line + 1}: ${message}`
  }
  return undefined
}

/** Whether a field, or a part of it, was refused. */
export const isRefused = (refusals: Refusals, path: string): boolean =>
  [...refusals.keys()].some((each) => each === path || each.startsWith(`${path}.`))
