import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './close-at-end.ts'

/** Makes an empty folder, which is removed when the test, or all tests of the file, have ended. */
export async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'gamehall-folder-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}
