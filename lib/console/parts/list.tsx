import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Select, TextField } from '../fields/field.tsx'
import { formatNumber } from '../format.ts'
import { useDebounced } from '../hooks/use-search.ts'
import { readChoice, readPage, route, setQuery } from '../route.ts'
import { Button, Empty } from './basics.tsx'
import { Loaded, type LoadedProps } from './query.tsx'
import { Tabs } from './tabs.tsx'

interface FilterProps {
  label: string
  parameter: string
}

/** A text that filters a list. The address takes the text after a pause in typing; the field follows the address. */
export function FilterField({ label, parameter, placeholder }: FilterProps & { placeholder?: string }) {
  const inAddress = route.value.query.get(parameter) ?? ''
  const [text, setText] = useState(inAddress)
  const typed = useDebounced(text.trim())
  const lastWritten = useRef(inAddress)

  useEffect(() => {
    if (inAddress !== lastWritten.current) setText(inAddress)
    else if (typed !== inAddress) setQuery({ [parameter]: typed, page: undefined })
    lastWritten.current = route.peek().query.get(parameter) ?? ''
  }, [typed, inAddress])

  return <TextField label={label} type="search" placeholder={placeholder} value={text} onInput={setText} />
}

const NONE = 'all'

interface ChoiceProps extends FilterProps {
  names: Readonly<Record<string, string>>
}

export const FilterSelect = ({ label, parameter, names, all = 'All' }: ChoiceProps & { all?: string }) => (
  <Select
    label={label}
    value={readChoice(parameter, names) ?? NONE}
    options={[{ value: NONE, name: all }, ...Object.entries(names).map(([value, name]) => ({ value, name }))]}
    onChange={(next) => setQuery({ [parameter]: next === NONE ? undefined : next, page: undefined })}
  />
)

interface FilterTabsProps extends ChoiceProps {
  counts: Readonly<Record<string, number | undefined>>
  children: ComponentChildren
}

/** Tabs that filter a list. The first is selected where the address names none. */
export function FilterTabs({ label, parameter, names, counts, children }: FilterTabsProps) {
  const tabs = Object.entries(names).map(([value, name]) => ({ value, name, count: counts[value] }))
  const first = tabs[0]?.value ?? NONE
  return (
    <Tabs
      label={label}
      tabs={tabs}
      selected={readChoice(parameter, names) ?? first}
      onSelect={(value) => setQuery({ [parameter]: value === first ? undefined : value, page: undefined })}
    >
      {children}
    </Tabs>
  )
}

/** The name of each column, and the function that draws its cell of a row. */
export type Columns<R> = Readonly<Record<string, (row: R) => ComponentChildren>>

interface TableProps<R> {
  name: string
  columns: Columns<R>
  /** The columns whose figures are aligned to the right. */
  figures?: readonly string[]
  rows: readonly R[]
  rowKey(row: R): string
}

export function Table<R>({ name, columns, figures = [], rows, rowKey }: TableProps<R>) {
  const drawn = Object.entries(columns)
  const toClass = (column: string) => (figures.includes(column) ? 'number' : undefined)
  return (
    <section
      class={`panel table-frame ${drawn.length > 2 ? 'stacks' : ''}`}
      aria-label={`${name}, scrollable`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table aria-label={name}>
        <thead>
          <tr>
            {drawn.map(([column]) => (
              <th key={column} scope="col" class={toClass(column)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {drawn.map(([column, draw]) => (
                <td key={column} class={toClass(column)} data-column={column}>
                  {draw(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const openPage = (page: number) => setQuery({ page: page === 1 ? undefined : String(page) })

function Pager({ take, total }: { take: number; total: number }) {
  const page = readPage()
  const last = Math.max(1, Math.ceil(total / take))
  // The list may have lost the page that the address names.
  useEffect(() => {
    if (total > 0 && page > last) openPage(last)
  }, [page, last, total])
  if (last === 1 && page === 1) return null
  return (
    <nav class="row pager" aria-label="Pages">
      <Button disabled={page <= 1} onClick={() => openPage(page - 1)} text="Previous" />
      <span>
        Page {formatNumber(page)} of {formatNumber(last)}
      </span>
      <Button disabled={page >= last} onClick={() => openPage(page + 1)} text="Next page" />
    </nav>
  )
}

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
