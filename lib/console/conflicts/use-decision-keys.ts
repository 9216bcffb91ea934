import { useLayoutEffect, useRef } from 'preact/hooks'

interface DecisionKeys {
  /** Moves the choice up or down. */
  step(by: 1 | -1): void
  /** Chooses an option by its number, from 1. */
  choose(number: number): void
  match(): void
  skip(): void
}

/** Elements in which these keys have another meaning. */
const OWN_KEYS =
  'input, textarea, select, dialog, [contenteditable], [role="menu"], [role="tablist"], [role="combobox"]'

/** Listens to the keys of a review in the whole view, once for each press. */
export function useDecisionKeys(keys: DecisionKeys): void {
  const latest = useRef(keys)
  latest.current = keys

  // In a layout effect, so that keys work as soon as the view is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const acts: Record<string, () => void> = {
        ArrowUp: () => latest.current.step(-1),
        ArrowDown: () => latest.current.step(1),
        ArrowRight: () => latest.current.match(),
        ArrowLeft: () => latest.current.skip(),
      }
      const act = /^[1-9]$/.test(event.key) ? () => latest.current.choose(Number(event.key)) : acts[event.key]
      const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
      if (act === undefined || isModified || event.repeat || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(OWN_KEYS) !== null) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
