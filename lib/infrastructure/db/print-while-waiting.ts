const FIRST_LINE_MS = 2_000
const EVERY_MS = 5_000

/** Prints a line after two seconds of work, and then every five seconds. @param describe gets the seconds so far */
export async function printWhileWaiting<T>(
  print: (line: string) => void,
  describe: (seconds: number) => string,
  work: Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const printLine = () => {
    timer = setTimeout(printLine, EVERY_MS)
    print(describe(Math.round((performance.now() - startedAt) / 1_000)))
  }
  let timer = setTimeout(printLine, FIRST_LINE_MS)
  return await work.finally(() => clearTimeout(timer))
}
