import type { ComponentChildren } from 'preact'

export interface Column<R> {
  name: string
  isNumber?: boolean
  cell(row: R): ComponentChildren
}

interface TableProps<R> {
  name: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  rowKey(row: R): string
}

const toFrame = ({ length }: readonly unknown[]) => (length > 2 ? 'panel table-frame stacks' : 'panel table-frame')

export const Table = <R,>({ name, columns, rows, rowKey }: TableProps<R>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class={toFrame(columns)} aria-label={`${name}, scrollable`} tabIndex={0}>
    <table aria-label={name}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={column.isNumber ? 'number' : undefined}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.name} class={column.isNumber ? 'number' : undefined} data-column={column.name}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
