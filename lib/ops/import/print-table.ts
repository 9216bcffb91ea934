import type { Row } from './take-part.ts'

const list = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, count]) => `${name}: ${count}`)

export function formatTable(rows: ReadonlyMap<string, Row>): string {
  const head = ['', 'found', 'taken', 'there already', 'mapped', 'left out']
  const body = [...rows].map(([name, { found, taken, there, mapped, leftOut }]) => {
    const count = [...leftOut.values()].reduce((sum, each) => sum + each, 0)
    return [name, ...[found, taken, there, mapped, count].map(String)]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column]?.length ?? 0)))
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  const details = [...rows].flatMap(([name, { leftOut, counted }]) => [
    ...list(leftOut).map((line) => `${name} left out because ${line}`),
    ...list(counted).map((line) => `${name} ${line}`),
  ])
  return [toLine(head), ...body.map(toLine), ...details].join('\n')
}
