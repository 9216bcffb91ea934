const LINK = /<a\b[^>]*?\shref="(?<href>[^"]*)"/g
const IMAGE = /<img\b[^>]*?\ssrc="(?<src>[^"]*)"/g
const ANCHOR = /<a\b[^>]*?\shref=.*?<\/a>/gs
const INLINE_TAG = /<\/?(?:strong|em|s|code|a)\b[^>]*>/g
const BARE_LINK = /\b(?:https?:\/\/|www\.)\S+/gi

/** Lists the links of clean markup as readers see them: the addresses of anchors, and bare ones in the text beside them. */
export function listLinks(clean: string): string[] {
  const anchors = Array.from(clean.matchAll(LINK), ({ groups }) => groups?.href ?? '')
  const text = clean
    .replace(ANCHOR, ' ')
    .replace(INLINE_TAG, '')
    .replace(/<[^>]*>/g, ' ')
  return [...anchors, ...(text.match(BARE_LINK) ?? [])]
}

/** Lists the addresses of the images of clean markup. */
export const listImages = (clean: string): string[] =>
  Array.from(clean.matchAll(IMAGE), ({ groups }) => groups?.src ?? '')
