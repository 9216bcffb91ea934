import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pageTop, scrollPage } from '../page-scroll.ts'

interface DragOptions {
  /** Each item has its id in `data-id`. */
  list: RefObject<HTMLElement | null>
  onDrop(id: string, before: string | null): void
}

interface Drag {
  id: string
  /** The item before which the dragged one would be put; null: at the end; undefined: before the first move. */
  before: string | null | undefined
}

/** The header covers the upper edge. */
const TOP_EDGE_PX = 110
const BOTTOM_EDGE_PX = 70
const SCROLL_PX = 14

function findBefore(list: HTMLElement, dragged: string, y: number): string | null {
  for (const item of list.querySelectorAll<HTMLElement>('[data-id]')) {
    const { top, height } = item.getBoundingClientRect()
    const id = item.dataset.id
    if (id !== undefined && id !== dragged && y < top + height / 2) return id
  }
  return null
}

function scrollAtEdges(pointer: { y: number }, onScroll: () => void): () => void {
  let frame = requestAnimationFrame(function step() {
    const by = pointer.y < TOP_EDGE_PX ? -SCROLL_PX : pointer.y > innerHeight - BOTTOM_EDGE_PX ? SCROLL_PX : 0
    const before = pageTop()
    if (by !== 0) scrollPage(before + by)
    if (pageTop() !== before) onScroll()
    frame = requestAnimationFrame(step)
  })
  return () => cancelAnimationFrame(frame)
}

/** Drags items of a list by pointer. No item moves before the drop; the place is found in the list at that moment. */
export function useDrag({ list, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>()
  const pointer = useRef({ y: 0 })
  const dragged = drag?.id

  function aim(id: string) {
    if (list.current === null) return
    const before = findBefore(list.current, id, pointer.current.y)
    setDrag((last) => (last === undefined || last.before === before ? last : { id, before }))
  }

  // Layout effects run before the next move of the pointer.
  useLayoutEffect(
    () => (dragged === undefined ? undefined : scrollAtEdges(pointer.current, () => aim(dragged))),
    [dragged],
  )
  useLayoutEffect(() => {
    if (drag === undefined) return
    const { id } = drag
    const onMove = (event: PointerEvent) => {
      event.preventDefault()
      pointer.current.y = event.clientY
      aim(id)
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
    const listening = new AbortController()
    addEventListener('pointermove', onMove, listening)
    addEventListener('pointerup', onUp, listening)
    addEventListener('pointercancel', onCancel, listening)
    addEventListener('keydown', onKey, listening)
    return () => listening.abort()
  })

  return {
    dragged,
    before: drag?.before,
    grab(event: PointerEvent, id: string) {
      if (event.button !== 0) return
      event.preventDefault()
      pointer.current.y = event.clientY
      setDrag({ id, before: undefined })
    },
  }
}
