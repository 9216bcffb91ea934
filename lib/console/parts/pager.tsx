interface PagerProps {
  page: number
  take: number
  total: number
  onPage(page: number): void
}

/** Steps through the pages of a list; absent where there is one page only. */
export function Pager({ page, take, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / take))
  if (last === 1) return null
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {page} of {last}
      </span>
      <button type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
