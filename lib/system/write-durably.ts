import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a small file as a whole, so that not even a power failure leaves half of it or the former text. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncPath(dirname(path))
}

/** Waits until a file or folder has reached the disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
