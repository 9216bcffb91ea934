import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import type { Query } from '../hooks/use-query.ts'
import { readPage, route, setQuery } from '../route.ts'
import { Busy, Button, Empty, Problem } from './basics.tsx'

const show = (page: number) => setQuery({ page: page === 1 ? undefined : String(page) })

function Pager({ take, total }: { take: number; total: number }) {
  const page = readPage()
  const last = Math.max(1, Math.ceil(total / take))
  // The list may have lost the page that the address names.
  useEffect(() => {
    if (total > 0 && page > last) show(last)
  }, [page, last, total])
  if (last === 1 && page === 1) return null
  return (
    <nav class="row pager" aria-label="Pages">
      <Button disabled={page <= 1} onClick={() => show(page - 1)} text="Previous" />
      <span>
        Page {formatNumber(page)} of {formatNumber(last)}
      </span>
      <Button disabled={page >= last} onClick={() => show(page + 1)} text="Next page" />
    </nav>
  )
}

interface LoadedProps<T> {
  query: Pick<Query<T>, 'answer' | 'error'> & { load(): unknown }
  children(answer: T): ComponentChildren
}

/** Draws the answer of a query, or a spinner until the answer has come. The error of a failed read is above it. */
export const Loaded = <T,>({ query: { answer, error, load }, children }: LoadedProps<T>) => (
  <>
    {error && <Problem error={error} onRetry={load} />}
    {answer === undefined ? !error && <Busy /> : children(answer)}
  </>
)

interface PagedProps<R> {
  query: LoadedProps<{ results: readonly R[]; total: number }>['query']
  take: number
  filters?: readonly string[]
  empty: string
  hint: string
  children(rows: readonly R[]): ComponentChildren
}

export const Paged = <R,>({ query, take, filters = [], empty, hint, children }: PagedProps<R>) => (
  <Loaded query={query}>
    {({ results, total }) => {
      if (total > 0) {
        return (
          <>
            {children(results)}
            <Pager take={take} total={total} />
          </>
        )
      }
      if (!filters.some((name) => route.value.query.has(name))) return <Empty title={empty} children={hint} />
      const unfiltered = Object.fromEntries(['page', ...filters].map((name) => [name, undefined]))
      return (
        <Empty title="No results for these filters.">
          <Button onClick={() => setQuery(unfiltered)} text="Show all" />
        </Empty>
      )
    }}
  </Loaded>
)
