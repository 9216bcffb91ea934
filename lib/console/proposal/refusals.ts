/** The service's refusals; the path is that of the refused value: `payload.release_dates.0.date`. */
export type Refusals = readonly { path: string; message: string }[]

export const findExact = (refusals: Refusals, path: string): string | undefined =>
  refusals.find((refusal) => refusal.path === path)?.message

export function findRefusal(refusals: Refusals, path: string): string | undefined {
  const exact = findExact(refusals, path)
  if (exact !== undefined) return exact
  for (const { path: refused, message } of refusals) {
    const line = refused.startsWith(`${path}.`) ? Number(refused.slice(path.length + 1)) : Number.NaN
    if (Number.isInteger(line)) return `Line ${line + 1}: ${message}`
  }
  return undefined
}

export const findPart = (refusals: Refusals, path: string): string | undefined =>
  refusals.find((refusal) => refusal.path === path || refusal.path.startsWith(`${path}.`))?.message
