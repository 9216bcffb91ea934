/** Reads an address. `URL.canParse` of Node 20 errs about letters beyond ASCII once it was called often. */
export function readUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
