import { useState } from 'preact/hooks'

function toHue(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997
  return 30 * (sum % 12)
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')

/** A game's cover, or its initials. It stands beside the name, so screen readers skip it. */
export function Cover({ src, name }: { src: string | null | undefined; name: string }) {
  const [broken, setBroken] = useState<string>()
  return src && src !== broken ? (
    <img class="cover" src={src} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setBroken(src)} />
  ) : (
    <span class="cover cover-missing" style={{ '--hue': toHue(name) }} aria-hidden="true">
      <span>{initials(name)}</span>
    </span>
  )
}
