import { useEffect, useRef, useState } from 'preact/hooks'
import { route, setQuery } from '../route.ts'
import { useDebounced } from './use-debounced.ts'

/** The page of a list that an address names, from 1. */
export const readPage = (query: URLSearchParams): number => Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
export const usePage = (): number => readPage(route.value.query)

interface AddressText {
  /** The text while it is typed. */
  text: string
  setText(text: string): void
  /** The text in the address. */
  addressed: string
}

/** A field whose text stands in the address once the typing has paused, and follows the address when that changes. */
export function useAddressText(name: string): AddressText {
  const addressed = route.value.query.get(name) ?? ''
  const [text, setText] = useState(addressed)
  const typed = useDebounced(text.trim())
  const written = useRef(addressed)

  useEffect(() => {
    if (typed === written.current) return
    written.current = typed
    setQuery({ [name]: typed, page: undefined })
  }, [typed])
  useEffect(() => {
    if (addressed === written.current) return
    written.current = addressed
    setText(addressed)
  }, [addressed])

  return { text, setText, addressed }
}
