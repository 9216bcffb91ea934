import { createReadStream } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { detectImageType, HEAD_BYTES } from './image-type.ts'
import { filesFolder } from './local-storage.ts'
import { isObjectKey } from './storage.ts'

const CHUNK_BYTES = 262_144

export interface LocalFile {
  type: string
  size: number
  /** Differs when the content of a key differs. */
  version: string
  /** Reads the bytes from `first` to `last`, both included. The file is opened with the first read. */
  read(first: number, last: number): AsyncIterable<Uint8Array>
}

/** Finds a file, also when new objects are stored in a bucket, because others may have the old addresses. @throws DomainError NOT_FOUND */
export async function findLocalFile({ config }: { config: Config }, key: string): Promise<LocalFile> {
  const file = isObjectKey(key) ? await openFile(config, key) : undefined
  if (file === undefined) throw new DomainError('NOT_FOUND', MESSAGES.nothingHere)
  return file
}

async function openFile(config: Config, key: string): Promise<LocalFile | undefined> {
  const folder = await realpath(filesFolder(config)).catch(() => undefined)
  if (folder === undefined) return undefined
  const path = join(folder, key)
  // A symbolic link in the folder may lead anywhere.
  if ((await realpath(path).catch(() => undefined)) !== path) return undefined

  const handle = await open(path).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const found = await handle.stat()
    if (!found.isFile()) return undefined
    const { buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return {
      // A browser neither shows nor runs bytes of another type.
      type: detectImageType(buffer) ?? 'application/octet-stream',
      size: found.size,
      version: `${found.size.toString(36)}-${found.mtimeMs.toString(36)}`,
      async *read(first, last) {
        yield* createReadStream(path, { start: first, end: last, highWaterMark: CHUNK_BYTES })
      },
    }
  } finally {
    await handle.close()
  }
}
