import { useEffect, useState } from 'preact/hooks'

/** Quick answers show no spinner. */
const SHOW_AFTER_MS = 200

export function Busy({ label = 'Loading …' }: { label?: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setShown, SHOW_AFTER_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p class="row muted busy" aria-busy="true">
      {isShown && (
        <>
          <span class="spinner" aria-hidden="true" />
          {label}
        </>
      )}
    </p>
  )
}
