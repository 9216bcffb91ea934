import type { ComponentChildren } from 'preact'
import { adviseOn, describeError } from '../describe-error.ts'
import { Button } from './button.tsx'

export const Refusal = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" class="refusal">
      {text}
    </p>
  ) : null

interface AlertProps {
  title: ComponentChildren
  children?: ComponentChildren
  buttons?: ComponentChildren
}

export const Alert = ({ title, children, buttons }: AlertProps) => (
  <div class="flag bad stack tight problem" role="alert">
    <p>
      <strong>{title}</strong> {children}
    </p>
    {buttons && <div class="row">{buttons}</div>}
  </div>
)

interface ProblemProps {
  error: unknown
  advice?: string | undefined
  onRetry?(): unknown
  children?: ComponentChildren
}

export const Problem = ({ error, advice = adviseOn(error), onRetry, children }: ProblemProps) => (
  <Alert
    title={describeError(error)}
    buttons={
      (onRetry || children) && (
        <>
          {onRetry && <Button onClick={() => void onRetry()} text="Try again" />}
          {children}
        </>
      )
    }
  >
    {advice}
  </Alert>
)
