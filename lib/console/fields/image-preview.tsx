import { useState } from 'preact/hooks'

interface ImagePreviewProps {
  src: string
  name: string
  onSize?(width: number, height: number): void
}

const LINK = /^https?:\/\/[^\s]+$/i

export function ImagePreview({ src, name, onSize }: ImagePreviewProps) {
  const [broken, setBroken] = useState<string>()
  if (!LINK.test(src) || !URL.canParse(src)) return null
  if (broken === src) return <p class="refusal">No image could be loaded from {src}</p>
  return (
    <img
      class="preview"
      src={src}
      alt={`Preview of ${name.toLowerCase()}`}
      loading="lazy"
      referrerpolicy="no-referrer"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize?.(naturalWidth, naturalHeight)}
      onError={() => setBroken(src)}
    />
  )
}
