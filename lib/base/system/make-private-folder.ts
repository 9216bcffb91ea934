import { chmod, mkdir } from 'node:fs/promises'

/** Makes a folder and missing parents, private to their owner. An existing folder becomes private. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  // A mounted volume may belong to somebody else.
  await chmod(path, 0o700).catch(() => undefined)
}
