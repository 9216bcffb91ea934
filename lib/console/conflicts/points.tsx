import { formatPoints } from '../format.ts'

interface PointsProps {
  score: number | null
  /** Add up to the score. */
  parts: readonly { name: string; points: number }[]
}

const toPercent = (points: number, whole: number) => `${(100 * points) / whole}%`

/** A score with a bar of its parts: positive ones in a row, negative ones subtracted from the end. */
export function Points({ score, parts }: PointsProps) {
  if (score === null) return <span class="points facts">no score</span>
  const gained = parts.filter(({ points }) => points > 0)
  const sum = gained.reduce((total, { points }) => total + points, 0)
  const whole = Math.max(sum, 100)
  let end = sum
  return (
    <span class="stack tight points">
      <strong>{formatPoints(score)}</strong>
      {parts.length > 0 && (
        <span class="points-bar" aria-hidden="true">
          {gained.map(({ name, points }) => (
            <span key={name} data-part={name} style={{ width: toPercent(points, whole) }} />
          ))}
          {parts
            .filter(({ points }) => points < 0)
            .map(({ name, points }) => {
              end += points
              return (
                <span
                  key={name}
                  class="against"
                  style={{ left: toPercent(end, whole), width: toPercent(-points, whole) }}
                />
              )
            })}
        </span>
      )}
      <span class="row breakdown">
        {parts.map(({ name, points }) => (
          <span key={name} class={points > 0 ? 'for' : 'against'} data-part={name}>
            {name} {points > 0 ? `+${points}` : points}{' '}
          </span>
        ))}
      </span>
    </span>
  )
}
