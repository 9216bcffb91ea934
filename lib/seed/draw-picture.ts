import { createHash } from 'node:crypto'
import { encodePng } from './encode-png.ts'

type Color = readonly [red: number, green: number, blue: number]

interface Palette {
  sky: Color
  glow: Color
  light: Color
  far: Color
  near: Color
}

const NIGHT: Palette = {
  sky: [24, 32, 66],
  glow: [214, 96, 92],
  light: [250, 214, 140],
  far: [60, 48, 92],
  near: [22, 22, 44],
}

const PALETTES: readonly Palette[] = [
  NIGHT,
  { sky: [12, 58, 74], glow: [92, 170, 160], light: [240, 240, 214], far: [20, 86, 94], near: [8, 34, 44] },
  { sky: [58, 28, 62], glow: [226, 122, 78], light: [255, 226, 150], far: [110, 44, 70], near: [36, 16, 38] },
  { sky: [30, 44, 36], glow: [150, 178, 98], light: [238, 236, 180], far: [52, 84, 56], near: [18, 30, 24] },
  { sky: [40, 26, 26], glow: [190, 62, 48], light: [248, 180, 110], far: [94, 36, 34], near: [22, 14, 16] },
  { sky: [20, 22, 52], glow: [118, 98, 206], light: [226, 214, 255], far: [54, 48, 116], near: [14, 14, 36] },
  { sky: [98, 142, 178], glow: [240, 204, 168], light: [255, 246, 220], far: [84, 110, 138], near: [40, 58, 78] },
  { sky: [70, 56, 40], glow: [220, 176, 104], light: [252, 236, 196], far: [120, 88, 56], near: [44, 32, 24] },
]

function mix(a: Color, b: Color, share: number): Color {
  if (share <= 0) return a
  const part = Math.min(1, share)
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]
}

/** How much of a pixel lies below an edge; one pixel wide, so that edges are smooth. */
const toShare = (distance: number) => Math.min(1, Math.max(0, distance + 0.5))

/** A row of numbers from 0 to 1 that a text alone decides. */
function createRandom(text: string): () => number {
  const bytes = createHash('sha256').update(text).digest()
  let at = 0
  return () => {
    const value = (bytes[at % bytes.length] ?? 0) / 255
    at += 1
    return value
  }
}

/** How high the ground is at a place, in shares of the picture. */
type Ground = (x: number) => number

function createGround(random: () => number, level: number): Ground {
  const kind = Math.floor(random() * 3)
  const [count, shift, height] = [2 + Math.floor(random() * 4), random(), 0.08 + random() * 0.14]
  const wave = (x: number) => Math.sin((x * count + shift) * 2 * Math.PI)
  if (kind === 0) return (x) => level - height * 0.6 * (wave(x) + 0.4 * Math.sin((x * count * 2.3 + shift) * 6))
  // Peaks, and the towers of a town.
  if (kind === 1) return (x) => level - height * (1 - Math.abs(((((x * count + shift) % 1) + 1) % 1) - 0.5) * 4)
  return (x) => level - height * Math.round(1.5 + 1.5 * Math.sin(Math.floor(x * count * 4 + shift * 9) * 12.9))
}

interface PictureOptions {
  width: number
  height: number
}

/** Draws a landscape that a text decides: the same text is the same picture. Answers a PNG. */
export function drawPicture(text: string, { width, height }: PictureOptions): Buffer {
  const random = createRandom(text)
  const palette = PALETTES[Math.floor(random() * PALETTES.length * 0.999)] ?? NIGHT
  const light = { x: 0.2 + random() * 0.6, y: 0.18 + random() * 0.3, radius: 0.09 + random() * 0.14 }
  const isRing = random() > 0.7
  const far = createGround(random, 0.68)
  const near = createGround(random, 0.86)
  const stars = Array.from({ length: 9 }, () => ({ x: random() * width, y: random() * 0.5 * height }))

  const starsEnd = height / 2
  const reach = light.radius * width + 1
  const farTop = Array.from({ length: width }, (_, column) => far((column + 0.5) / width) * height)
  const nearTop = Array.from({ length: width }, (_, column) => near((column + 0.5) / width) * height)

  function findColor(column: number, row: number, sky: Color): Color {
    const inNear = toShare(row + 0.5 - (nearTop[column] ?? height))
    if (inNear === 1) return palette.near
    const inFar = toShare(row + 0.5 - (farTop[column] ?? height))
    const above = inFar === 1 ? palette.far : mix(drawSky(column, row, sky), palette.far, inFar)
    return mix(above, palette.near, inNear)
  }

  function drawSky(column: number, row: number, sky: Color): Color {
    if (row < starsEnd) {
      for (const star of stars) if (Math.abs(column - star.x) < 1 && Math.abs(row - star.y) < 1) return palette.light
    }
    const across = column + 0.5 - light.x * width
    const down = row + 0.5 - light.y * height
    if (across * across + down * down > reach * reach) return sky
    const inside = light.radius * width - Math.sqrt(across * across + down * down)
    const share = isRing ? toShare(inside) - toShare(inside - width * 0.02) : toShare(inside)
    return mix(sky, palette.light, share)
  }

  const skies = Array.from({ length: height }, (_, row) =>
    mix(palette.sky, palette.glow, Math.round((row / height) * 14) / 11 - 0.15),
  )
  return encodePng({ width, height }, (column, row) => findColor(column, row, skies[row] ?? palette.sky))
}
