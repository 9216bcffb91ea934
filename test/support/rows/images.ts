export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'webp-lossy' | 'webp-extended' | 'avif'

interface Size {
  width: number
  height: number
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')

/** Complete images of one colour and 16 × 9 pixels, as small as their formats allow. */
const IMAGES: Record<ImageFormat, Buffer[]> = {
  jpeg: [
    bytesOf('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA=='),
    Buffer.alloc(64, 1),
    bytesOf('/8AACwgACQAQAQERAP/EABQAAQ=='),
    Buffer.alloc(16),
    bytesOf('/8QAFBAB'),
    Buffer.alloc(16),
    bytesOf('/9oACAEBAAA/AAD/2Q=='),
  ],
  png: [bytesOf('iVBORw0KGgoAAAANSUhEUgAAABAAAAAJCAAAAAAeQfPuAAAADElEQVR4nGNgGKQAAACZAAFEOyJLAAAAAElFTkSuQmCC')],
  gif: [
    bytesOf('R0lGODlhEAAJAPYAAA=='),
    Buffer.alloc(128 * 3, 0x55),
    bytesOf('LAAAAAAQAAkAAAeTgA=='),
    Buffer.alloc(100),
    bytesOf('gA=='),
    Buffer.alloc(44),
    bytesOf('gQA7'),
  ],
  webp: [bytesOf('UklGRhoAAABXRUJQVlA4TA0AAAAvDwACAChIQQpSkIIAAA==')],
  'webp-lossy': [bytesOf('UklGRtYAAABXRUJQVlA4IMoAAAAQDACdASoQAAk='), Buffer.alloc(193)],
  'webp-extended': [bytesOf('UklGRiwAAABXRUJQVlA4WAoAAAAAAAAADwAACAAAVlA4TA0AAAAvDwACAChIQQpSkIIAAA==')],
  avif: [
    bytesOf('AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAANttZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0'),
    Buffer.alloc(16),
    bytesOf('DnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAAA/wAAAFMAAAAjaWluZgAAAAAAAQAAABVpbmZl'),
    bytesOf('AgAAAAABAABhdjAxAAAAAF9pcHJwAAAAQWlwY28AAAAUaXNwZQAAAAAAAAAQAAAACQAAAA5waXhpAAAAAAEI'),
    bytesOf('AAAAF2F2MUOBCBwACogAGj/AA8ACAFQAAAAWaXBtYQAAAAAAAAABAAEDAQKDAAAAW21kYXQKiAAaP8ADwAIA'),
    bytesOf('VDLFAJZA'),
    Buffer.alloc(67),
  ],
}

/** Writes the size into the header of an image. */
const RESIZERS: Record<ImageFormat, (image: Buffer, size: Size) => void> = {
  jpeg: (image, { width, height }) => image.writeUInt16BE(width, image.writeUInt16BE(height, 94)),
  png: (image, { width, height }) => image.writeUInt32BE(height, image.writeUInt32BE(width, 16)),
  gif(image, { width, height }) {
    const frame = image.indexOf(0x2c) + 5
    for (const at of [6, frame]) image.writeUInt16LE(height, image.writeUInt16LE(width, at))
  },
  webp: (image, { width, height }) => image.writeUInt32LE((width - 1) | ((height - 1) << 14), 21),
  'webp-lossy': (image, { width, height }) => image.writeUInt16LE(height, image.writeUInt16LE(width, 26)),
  'webp-extended': (image, { width, height }) => image.writeUIntLE(height - 1, image.writeUIntLE(width - 1, 24, 3), 3),
  avif: (image, { width, height }) => image.writeUInt32BE(height, image.writeUInt32BE(width, 180)),
}

export const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'webp', 'webp-lossy', 'webp-extended', 'avif'] as const

/** Makes a valid image. With another size, the header alone is valid. */
export function makeImage(format: ImageFormat, size?: Size): Buffer {
  const image = Buffer.concat(IMAGES[format])
  if (size !== undefined) RESIZERS[format](image, size)
  return image
}

export function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(`\0\0\0\0${type}`, 'latin1'), ...parts])
  content.writeUInt32BE(content.length)
  return content
}
