import type { ComponentChildren } from 'preact'
import { adviseOn, describeError } from '../describe-error.ts'
import { Button } from './button.tsx'

interface ProblemProps {
  error: unknown
  /** Replaces the usual advice. */
  advice?: string | undefined
  /** Called by the button `Try again`, which is shown where this is given. */
  onRetry?(): unknown
  /** Further buttons. */
  children?: ComponentChildren
}

/** A refusal in the service's own sentence, with advice on what to do. */
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
