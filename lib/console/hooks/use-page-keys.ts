import { useLayoutEffect, useRef } from 'preact/hooks'

/** Elements in which the keys have another meaning. Tabs prevent the default of their own keys. */
const KEYBOARD_ELEMENTS = 'input, textarea, select, [contenteditable], [role="menu"], [role="combobox"]'

const isShown = (selector: string) => document.querySelector(selector) !== null

/** Runs the action that `find` answers for a pressed key, except with a modifier, in fields and while a menu is open. */
export function usePageKeys(find: (key: string) => (() => void) | undefined): void {
  const latest = useRef(find)
  latest.current = find

  // A layout effect makes the keys work as soon as the view is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current(event.key)
      const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
      if (act === undefined || isModified || event.repeat || event.defaultPrevented) return
      // The view may have changed below an open menu, and then has the focus. `:is` lets a browser without popovers parse it.
      if (isShown('[role="menu"]:is(:popover-open)')) return
      if (event.target instanceof Element && event.target.closest(KEYBOARD_ELEMENTS) !== null) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Page keys, but not while a dialog is open. */
export const useReviewKeys = (find: Parameters<typeof usePageKeys>[0]): void =>
  usePageKeys((key) => (isShown('dialog[open]') ? undefined : find(key)))
