/** Reads a header; undefined when it was sent several times with different values. */
export function readHeader(headers: Readonly<Record<string, string | string[] | undefined>>, name: string) {
  const [value, ...others] = new Set([headers[name]].flat())
  return others.length === 0 ? value : undefined
}
