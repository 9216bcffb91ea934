/** Converts odds in decibans to a score from 0 to 100. */
const toScore = (odds: number) => 100 / (1 + 10 ** (-odds / 10))

function toOdds(score: number): number {
  // The bounds keep the logarithm finite; they round to 0 and 100.
  const bounded = Math.min(99.6, Math.max(0.4, score))
  return 10 * Math.log10(bounded / (100 - bounded))
}

/** Divides a score into whole points of its parts, which move it one after the other, the positive ones first. */
export function splitPoints(
  score: number,
  weights: Readonly<Record<string, number>>,
): readonly { name: string; points: number }[] {
  const parts = Object.entries(weights).filter(([, weight]) => weight !== 0)
  if (parts.length === 0) return []
  let odds = toOdds(Math.round(score)) - parts.reduce((sum, [, weight]) => sum + weight, 0)
  let reached = 0
  const [gains, losses] = [parts.filter(([, weight]) => weight > 0), parts.filter(([, weight]) => weight < 0)]
  const split = [['start', 0] as const, ...gains, ...losses].map(([name, weight]) => {
    odds += weight
    const before = reached
    reached = Math.round(toScore(odds))
    return { name, points: reached - before }
  })
  return split.filter(({ points }) => points !== 0)
}
