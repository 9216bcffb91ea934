import type { ComponentChildren } from 'preact'

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
