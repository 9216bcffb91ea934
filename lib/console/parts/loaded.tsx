import type { ComponentChildren } from 'preact'
import type { Query } from '../hooks/use-query.ts'
import { route, setQuery } from '../route.ts'
import { Busy } from './busy.tsx'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'
import { Pager } from './pager.tsx'
import { Problem } from './problem.tsx'

interface LoadedProps<T> {
  query: Pick<Query<T>, 'answer' | 'error'> & { load(): unknown }
  children(answer: T): ComponentChildren
}

/** Draws the answer of a query; a spinner until it has come, and the error of a failed read above it. */
export const Loaded = <T,>({ query: { answer, error, load }, children }: LoadedProps<T>) => (
  <>
    {error && <Problem error={error} onRetry={load} />}
    {answer === undefined ? !error && <Busy /> : children(answer)}
  </>
)

interface PagedProps<R> {
  query: LoadedProps<{ results: readonly R[]; total: number }>['query']
  take: number
  /** The parameters of the address that filter the list. */
  filters?: readonly string[]
  /** Shown in place of an empty list that is not filtered. */
  empty: ComponentChildren
  children(rows: readonly R[]): ComponentChildren
}

/** Says that no row matches, with a button that removes the filters from the address. */
const NothingFits = ({ filters }: { filters: readonly string[] }) => (
  <Empty icon="document" title="Nothing fits these filters.">
    <Button
      onClick={() => setQuery(Object.fromEntries(['page', ...filters].map((name) => [name, undefined])))}
      text="Show all"
    />
  </Empty>
)

/** Draws one page of a list, with the links to the other pages. */
export const Paged = <R,>({ query, take, filters = [], empty, children }: PagedProps<R>) => (
  <Loaded query={query}>
    {({ results, total }) =>
      total === 0 ? (
        filters.some((name) => route.value.query.has(name)) ? (
          <NothingFits filters={filters} />
        ) : (
          empty
        )
      ) : (
        <>
          {children(results)}
          <Pager take={take} total={total} />
        </>
      )
    }
  </Loaded>
)
