import type { ComponentChildren } from 'preact'
import { adviseOn, describeError } from '../describe-error.ts'
import { Button } from './button.tsx'

interface ProblemProps {
  error: unknown
  /** Instead of the usual sentence on what can be done. */
  advice?: string | undefined
  /** Asks again, where that may help. */
  onRetry?(): unknown
  /** Buttons that do it. */
  children?: ComponentChildren
}

/** A refusal in the service's own sentence, and what can be done about it. */
export function Problem({ error, advice = adviseOn(error), onRetry, children }: ProblemProps) {
  return (
    <div class="problem stack tight" role="alert">
      <p>
        <strong>{describeError(error)}</strong>
        {advice && ` ${advice}`}
      </p>
      {(onRetry || children) && (
        <div class="row">
          {onRetry && <Button onClick={() => void onRetry()} text="Try again" />}
          {children}
        </div>
      )}
    </div>
  )
}
