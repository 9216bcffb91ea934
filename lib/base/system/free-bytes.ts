import { statfs } from 'node:fs/promises'

/** Reads how many bytes a folder still takes. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
