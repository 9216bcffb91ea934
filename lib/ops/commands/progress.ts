const EVERY_MS = { terminal: 250, elsewhere: 10_000 }

export type Progress = ReturnType<typeof createProgress>

/** Writes to standard error, because standard output is for the result of the command. */
export function createProgress() {
  const { isTTY } = process.stderr
  let shownAt = isTTY ? Number.NEGATIVE_INFINITY : performance.now()

  return {
    /** Shows how far a command is: in place on a terminal, elsewhere a line every 10 s. */
    show(describe: () => string): void {
      if (performance.now() - shownAt < (isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return
      shownAt = performance.now()
      process.stderr.write(isTTY ? `\r\x1b[K${describe()}` : `${describe()}\n`)
    },
    /** Takes the line in place away. */
    end(): void {
      if (isTTY) process.stderr.write('\r\x1b[K')
    },
  }
}
