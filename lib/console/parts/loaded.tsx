import type { ComponentChildren } from 'preact'
import type { Query } from '../hooks/use-query.ts'
import { Busy } from './busy.tsx'
import { Pager } from './pager.tsx'
import { Problem } from './problem.tsx'

interface LoadedProps<T> {
  query: Query<T>
  children(answer: T): ComponentChildren
}

/** What was read, that it is awaited, or why it could not be read. */
export const Loaded = <T,>({ query: { answer, error, load }, children }: LoadedProps<T>) => (
  <>
    {error && <Problem error={error} onRetry={load} />}
    {answer === undefined ? !error && <Busy /> : children(answer)}
  </>
)

interface PagedProps<R> {
  query: Query<{ results: R[]; total: number }>
  take: number
  /** Instead of a list without rows. */
  empty: ComponentChildren
  children(rows: R[]): ComponentChildren
}

/** The rows of a page of a list, and the way to the other pages. */
export const Paged = <R,>({ query, take, empty, children }: PagedProps<R>) => (
  <Loaded query={query}>
    {({ results, total }) =>
      total === 0 ? (
        empty
      ) : (
        <>
          {children(results)}
          <Pager take={take} total={total} />
        </>
      )
    }
  </Loaded>
)
