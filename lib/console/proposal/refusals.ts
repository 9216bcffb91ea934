/** The service's refusals; the path is that of the refused value: `payload.release_dates.0.date`. */
export type Refusals = readonly { path: string; message: string }[]

export const findOwn = (refusals: Refusals, path: string): string | undefined =>
  refusals.find((each) => each.path === path)?.message

export function findRefusal(refusals: Refusals, path: string): string | undefined {
  const own = findOwn(refusals, path)
  if (own !== undefined) return own
  for (const { path: each, message } of refusals) {
    const line = each.startsWith(`${path}.`) ? Number(each.slice(path.length + 1)) : Number.NaN
    if (Number.isInteger(line)) return `Line ${line + 1}: ${message}`
  }
  return undefined
}

export const findPart = (refusals: Refusals, path: string): string | undefined =>
  refusals.find((each) => each.path === path || each.path.startsWith(`${path}.`))?.message
