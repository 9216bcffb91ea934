const toKey = (name: string) => name.trim().normalize('NFC').toLowerCase()

/** Lists the visible names that are not in `besides`, each once, whatever its case and the form of its accents. */
export function distinctNames(names: readonly (string | null | undefined)[], besides: readonly string[] = []) {
  const seen = new Set(besides.map(toKey))

  return names.flatMap((written) => {
    const name = written?.trim() ?? ''
    const key = toKey(name)
    if (name === '' || seen.has(key)) return []
    seen.add(key)
    return [name]
  })
}
