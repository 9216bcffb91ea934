/** The value of a header, also of one that was sent several times with one value; undefined where its values differ. */
export function readHeader(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | undefined {
  const [value, ...others] = new Set([headers[name]].flat())
  return others.length === 0 ? value : undefined
}
