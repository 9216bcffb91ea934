interface CookieOptions {
  most: number
  /** Values of another form are passed over: whoever plants garbage must not push out the good one. */
  isForm?(value: string): boolean
}

/**
 * Reads every value that a `Cookie` header has under one name, in its order: a browser sends several when it holds some of
 * another path or domain (left from another configuration, or planted by a neighbouring host), and says not which is which.
 */
export function readCookies(
  header: string | undefined,
  name: string,
  { most, isForm = () => true }: CookieOptions,
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
