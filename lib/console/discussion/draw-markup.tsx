import { type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import { COMMENT_TAGS } from '../../contract/limits.ts'
import { Button } from '../parts/basics.tsx'
import { type Element, HAS_DIRECTION, type Node, toText } from './markup.ts'

/** Images of other hosts are `held` until a click, because their request would reveal the reader to the host. */
type Images = 'shown' | 'held' | 'left-out'

const listImages = (node: Node): Element[] => {
  if (typeof node === 'string') return []
  return node.tag === 'img' ? [node] : node.children.flatMap(listImages)
}

/** The host of an image, unless the page is from the same one. */
function findOtherHost({ attributes: { src = '' } }: Element): string | undefined {
  const { origin, host } = URL.canParse(src, location.href) ? new URL(src, location.href) : location
  return origin === location.origin ? undefined : host
}

/** Draws a button in place of an image, or of the images in a link. A link without words would be empty, so it waits too. */
function Held({ element }: { element: Element }) {
  const [isShown, setShown] = useState(false)
  const images = listImages(element)
  const hosts = new Set(images.flatMap((image) => findOtherHost(image) ?? []))
  if (isShown || hosts.size === 0) return <>{drawElement(element, 'shown')}</>
  return (
    <>
      {toText([element]).trim() !== '' && drawElement(element, 'left-out')}
      <Button
        class="small"
        title={images[0]?.attributes.alt}
        onClick={() => setShown(true)}
        text={`Show image from ${[...hosts].join(', ')}`}
      />
    </>
  )
}

function drawElement({ tag, attributes: { href = '', src = '', alt = '' }, children }: Element, images: Images) {
  const inside = children.map((child) => draw(child, images))
  // Another program may have stored a body that the service has not cleaned.
  if (!COMMENT_TAGS.includes(tag)) return <>{inside}</>
  if (tag === 'img') return images !== 'left-out' && <img src={src} alt={alt} referrerpolicy="no-referrer" />
  if (tag !== 'a') return h(tag, HAS_DIRECTION.test(tag) ? { dir: 'auto' } : null, ...inside)
  return (
    <a href={href} target="_blank" rel="nofollow noopener noreferrer">
      {inside}
    </a>
  )
}

/** Draws the elements of a comment one by one, so that no string of markup gets into the page. */
export function draw(node: Node, images: Images): ComponentChildren {
  if (typeof node === 'string') return node
  const isHeld = images === 'held' && (node.tag === 'a' || node.tag === 'img')
  return isHeld ? <Held element={node} /> : drawElement(node, images)
}
