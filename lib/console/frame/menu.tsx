import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

interface MenuProps {
  /** The name of the button that opens it. */
  label: string
  items: readonly { name: string; choose(): void }[]
}

/** A button with a menu. Arrows, Home and End move, Escape and Tab close. */
export function Menu({ label, items: choices }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const focusItem = (index: number) => {
    const item = list.current?.children[(index + choices.length) % choices.length]
    if (item instanceof HTMLElement) item.focus()
  }
  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }

  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (isOpen) focusItem(0)
  }, [isOpen])

  function move(event: KeyboardEvent) {
    const items: readonly (Element | null)[] = Array.from(list.current?.children ?? [])
    const index = items.indexOf(document.activeElement)
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusItem(index + 1),
      ArrowUp: () => focusItem(index - 1),
      Home: () => focusItem(0),
      End: () => focusItem(-1),
      Escape: () => close(),
    }
    if (event.key === 'Tab') setOpen(false)
    const act = moves[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div
      class="menu"
      ref={root}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && root.current?.contains(relatedTarget))) setOpen(false)
      }}
    >
      <button
        type="button"
        // Safari focuses no clicked button without it, and leaving the menu would close it before the click.
        tabIndex={0}
        aria-haspopup="menu"
        aria-expanded={isOpen ? 'true' : 'false'}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div role="menu" class="popover" id={id} aria-label={label} ref={list} tabIndex={-1} onKeyDown={move}>
          {choices.map(({ name, choose }) => (
            <Button
              key={name}
              role="menuitem"
              class="quiet"
              tabIndex={-1}
              onClick={() => {
                close()
                choose()
              }}
              text={name}
            />
          ))}
        </div>
      )}
    </div>
  )
}
