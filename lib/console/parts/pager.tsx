import { useEffect } from 'preact/hooks'
import { readPage, setQuery } from '../route.ts'

const show = (page: number) => setQuery({ page: page === 1 ? undefined : String(page) })

/** Steps through the pages of a list by the address; absent where there is one page only. */
export function Pager({ take, total }: { take: number; total: number }) {
  const page = readPage()
  const last = Math.max(1, Math.ceil(total / take))
  // The list may have become shorter than the page in the address.
  useEffect(() => {
    if (total > 0 && page > last) show(last)
  }, [page, last, total])
  if (last === 1 && page === 1) return null
  return (
    <nav class="row pager" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => show(page - 1)}>
        Previous
      </button>
      <span>
        Page {page} of {last}
      </span>
      <button type="button" disabled={page >= last} onClick={() => show(page + 1)}>
        Next page
      </button>
    </nav>
  )
}
