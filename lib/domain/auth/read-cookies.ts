/**
 * Reads every value of one name in a `Cookie` header, in its order. A browser sends several when it holds cookies of other
 * paths or domains (from an earlier configuration, or planted by a neighbouring host), and does not tell them apart.
 * Values of another form are skipped, so that planted garbage cannot displace the valid one.
 */
export function readCookies(
  header: string | undefined,
  name: string,
  { most, isForm = () => true }: { most: number; isForm?: (value: string) => boolean },
): string[] {
  if (header?.includes(name) !== true) return []

  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '' && isForm(value))
    .slice(0, most)
}
