/**
 * Reads an address; undefined when it is none. `URL.canParse` of Node 20 takes some addresses with letters beyond ASCII
 * for none once it was called often.
 */
export function readUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
