import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface DragOptions {
  /** Its items bear their ids as `data-id`. */
  list: RefObject<HTMLElement | null>
  onDrop(id: string, before: string | null): void
}

interface Drag {
  id: string
  /** The item that the dragged one would go before; null: the end; undefined: it stays. */
  before: string | null | undefined
}

const EDGE_PX = 70
const SCROLL_PX = 14

/** The item below a pointer: the first whose middle is further down. */
function findBefore(list: HTMLElement, dragged: string, y: number): string | null {
  for (const item of list.querySelectorAll<HTMLElement>('[data-id]')) {
    const { top, height } = item.getBoundingClientRect()
    const id = item.dataset.id
    if (id !== undefined && id !== dragged && y < top + height / 2) return id
  }
  return null
}

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) scrollBy(0, -SCROLL_PX)
  else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
}

/**
 * Drags items of a list by pointer. Nothing moves before the drop, and the place is found by what the list shows then,
 * so that changes by others meanwhile do no harm.
 */
export function useDrag({ list, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>()

  useEffect(() => {
    if (drag === undefined) return
    const { id } = drag
    const onMove = (event: PointerEvent) => {
      if (list.current === null) return
      event.preventDefault()
      scrollAtEdge(event.clientY)
      const before = findBefore(list.current, id, event.clientY)
      // Nothing is drawn for a move that changes nothing.
      setDrag((last) => (last === undefined || last.before === before ? last : { id, before }))
    }
    const onUp = (event: PointerEvent) => {
      setDrag(undefined)
      if (list.current === null || drag.before === undefined) return
      const items = [...list.current.querySelectorAll<HTMLElement>('[data-id]')].map(({ dataset }) => dataset.id)
      const before = findBefore(list.current, id, event.clientY)
      const isWhereItWas = (items[items.indexOf(id) + 1] ?? null) === before
      if (items.includes(id) && !isWhereItWas) onDrop(id, before)
    }
    const onCancel = () => setDrag(undefined)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(undefined)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onCancel)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onCancel)
      removeEventListener('keydown', onKey)
    }
  })

  return {
    dragged: drag?.id,
    before: drag?.before,
    grab(event: PointerEvent, id: string) {
      if (event.button !== 0) return
      event.preventDefault()
      setDrag({ id, before: undefined })
    },
  }
}
