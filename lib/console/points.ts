/** A score as it is read: `97 points`. */
export function toPoints(score: number): string {
  const points = Math.round(score)
  return `${points} ${points === 1 ? 'point' : 'points'}`
}
