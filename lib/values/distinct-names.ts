/** The names that say something, each once in any case, in their order, without those of `besides`. */
export function distinctNames(
  names: readonly (string | null | undefined)[],
  besides: readonly string[] = [],
): string[] {
  const seen = new Set(besides.map((name) => name.trim().toLowerCase()))

  return names.flatMap((given) => {
    const name = given?.trim() ?? ''
    const key = name.toLowerCase()
    if (name === '' || seen.has(key)) return []
    seen.add(key)
    return [name]
  })
}
