const toKey = (name: string) => name.trim().normalize('NFC').toLowerCase()

/** The names that say something, each once in any case and whatever the form of its accents, in their order, without those of `besides`. */
export function distinctNames(names: readonly (string | null | undefined)[], besides: readonly string[] = []) {
  const seen = new Set(besides.map(toKey))

  return names.flatMap((given) => {
    const name = given?.trim() ?? ''
    const key = toKey(name)
    if (name === '' || seen.has(key)) return []
    seen.add(key)
    return [name]
  })
}
