const WIDTH = 64

export const heading = (title: string) => console.log(`\n${title}`)

export const line = (label: string, value: string) => console.log(`  ${label.padEnd(WIDTH)} ${value}`)

/** Prints a ratio with its goal; `atLeast` and `atMost` name the side that is good. */
export function ratio(label: string, value: number, goal: { atLeast: number } | { atMost: number }): void {
  const [isMet, text] =
    'atLeast' in goal
      ? [value >= goal.atLeast, `at least ${goal.atLeast}`]
      : [value <= goal.atMost, `at most ${goal.atMost}`]
  line(label, `${value.toFixed(2)}  (goal ${text}: ${isMet ? 'met' : 'MISSED'})`)
}

export const micros = (value: number) => `${value.toFixed(0)} µs`
export const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
