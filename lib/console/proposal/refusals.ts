/** The service's sentences by the path of what they are about: `payload.release_dates.0.date`. */
export type Refusals = ReadonlyMap<string, string>

interface Issue {
  path: string
  message: string
}

/** Collects what the service has against a proposal; the first sentence about a path stays. */
export function toRefusals(issues: readonly Issue[]): Refusals {
  const refusals = new Map<string, string>()
  for (const { path, message } of issues) if (!refusals.has(path)) refusals.set(path, message)
  return refusals
}

/** Refusals of one control: of itself, or of its lines, counted as they were typed. */
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
