import { useLayoutEffect, useRef } from 'preact/hooks'

/** Runs the action that `find` answers for a key without modifier, pressed anywhere but in elements of `except`. */
export function usePageKeys(find: (key: string) => (() => void) | undefined, except: string): void {
  const latest = useRef(find)
  latest.current = find

  // A layout effect makes the keys work as soon as the view is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current(event.key)
      const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
      if (act === undefined || isModified || event.repeat || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(except) !== null) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Elements in which the keys of a review have another meaning. Tabs prevent the default of their own keys. */
const KEYBOARD_ELEMENTS = 'input, textarea, select, [contenteditable], [role="menu"], [role="combobox"]'

export const useReviewKeys = (find: Parameters<typeof usePageKeys>[0]): void =>
  usePageKeys((key) => (document.querySelector('dialog[open]') === null ? find(key) : undefined), KEYBOARD_ELEMENTS)
