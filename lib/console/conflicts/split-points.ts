/**
 * Divides a score, in whole points, among the parts that speak for and against it, in proportion to their weight. Empty
 * where the parts together speak against it: no shares of theirs add up to points.
 */
export function splitPoints(
  score: number,
  weights: Readonly<Record<string, number>>,
): readonly { name: string; points: number }[] {
  const parts = Object.entries(weights).filter(([, weight]) => weight !== 0)
  const total = parts.reduce((sum, [, weight]) => sum + weight, 0)
  if (total <= 0) return []
  let exact = 0
  let given = 0
  return parts.map(([name, weight]) => {
    // Each ends where the sum so far rounds to, so that no rounding is left over.
    exact += (weight * Math.round(score)) / total
    const points = Math.round(exact) - given
    given += points
    return { name, points }
  })
}
