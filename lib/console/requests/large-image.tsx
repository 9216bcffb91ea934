import { useState } from 'preact/hooks'
import { ImagePreview } from '../fields/image-preview.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** A preview of an image with its size in pixels. A click opens it in full size. */
export function LargeImage({ src, name }: { src: string; name: string }) {
  const [size, setSize] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const preview = <ImagePreview src={src} name={name} onSize={(width, height) => setSize(`${width} × ${height} px`)} />
  return (
    <>
      {size === undefined ? (
        preview
      ) : (
        <button
          type="button"
          class="quiet large-image"
          aria-label={`Enlarge ${name.toLowerCase()}`}
          onClick={() => setOpen(true)}
        >
          {preview}
        </button>
      )}
      <span class="facts image-size">{size}</span>
      {isOpen && (
        <Dialog title={name} isWide onClose={() => setOpen(false)}>
          <img src={src} alt={name} referrerpolicy="no-referrer" />
          <p class="facts">{size}</p>
        </Dialog>
      )}
    </>
  )
}
