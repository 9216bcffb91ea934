import { mkdir } from 'node:fs/promises'

/** Makes a folder and those above it where they are missing, each for its owner alone. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}
