import type { ComponentChildren } from 'preact'
import type { Query } from '../hooks/use-query.ts'
import { Busy } from './busy.tsx'
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
  /** Shown in place of an empty list. */
  empty: ComponentChildren
  children(rows: readonly R[]): ComponentChildren
}

/** Draws one page of a list, with the links to the other pages. */
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
