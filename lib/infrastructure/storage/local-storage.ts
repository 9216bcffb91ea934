import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../base/system/has-code.ts'
import { makePrivateFolder } from '../../base/system/make-private-folder.ts'
import { syncPath } from '../../base/system/sync-path.ts'
import { assertObjectKey, createAddresses, isObjectKey, type Storage, StorageError } from './storage.ts'

const DRAFTS = '.drafts'
/** No file takes this long to write, so the process of an older draft has ended. */
const ABANDONED_AFTER_MS = 60 * 60 * 1_000

export const filesFolder = ({ dataDir }: { dataDir: string }) => join(dataDir, 'files')

function toStorageError(error: unknown, doing: string): StorageError {
  if (error instanceof StorageError) return error
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return new StorageError(`The image could not be ${doing}: the file system failed${code}`)
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StorageError('The image was not stored: the request was given up')
}

/** Removes the drafts of killed processes. Younger drafts stay, because another service may write into the same folder. */
async function removeDrafts(drafts: string): Promise<void> {
  for (const name of await readdir(drafts).catch(() => [])) {
    const path = join(drafts, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs >= ABANDONED_AFTER_MS) await rm(path, { force: true }).catch(() => {})
  }
}

async function moveDraft(draft: string, path: string): Promise<void> {
  await makePrivateFolder(dirname(path))
  await rename(draft, path)
  await syncPath(dirname(path))
  await syncPath(dirname(dirname(path)))
}

/** Stores objects as files in `DATA_DIR`, without their media type, because the first bytes of an image contain it. */
export function createLocalStorage({ dataDir, publicUrl }: { dataDir: string; publicUrl: string }): Storage {
  const folder = filesFolder({ dataDir })
  const drafts = join(folder, DRAFTS)
  const cleaned = removeDrafts(drafts)

  return {
    ...createAddresses(`${publicUrl}/files`),
    mayStoreAfterFailure: false,

    async put(key, { bytes }, { signal } = {}) {
      assertObjectKey(key)
      await cleaned
      const draft = join(drafts, randomUUID())
      try {
        refuseAborted(signal)
        await makePrivateFolder(drafts)
        await writeFile(draft, bytes, { flag: 'wx', mode: 0o644, flush: true, ...(signal && { signal }) })
        refuseAborted(signal)
        await moveDraft(draft, join(folder, key))
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        refuseAborted(signal)
        throw toStorageError(error, 'stored')
      }
    },

    async get(key) {
      assertObjectKey(key)
      return await readFile(join(folder, key)).catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return undefined
        throw toStorageError(error, 'read')
      })
    },

    async *list() {
      const names = await readdir(folder, { recursive: true }).catch((error: unknown): string[] => {
        if (hasCode(error, 'ENOENT')) return []
        throw toStorageError(error, 'listed')
      })
      yield* names.filter(isObjectKey)
    },

    async delete(keys) {
      keys.forEach(assertObjectKey)
      for (const key of keys) {
        await rm(join(folder, key), { force: true }).catch((error: unknown) => {
          throw toStorageError(error, 'deleted')
        })
      }
    },
  }
}
