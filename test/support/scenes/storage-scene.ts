import { ObjectId } from 'mongodb'
import type { Folder, ObjectKey } from '#lib/infrastructure/storage/storage'

const hex = () => new ObjectId().toHexString()

export const newKey = (folder: Folder = 'covers'): ObjectKey => `${folder}/${hex()}/${hex()}`

/** Makes bytes that begin like a PNG, followed by `length` more. */
export const pngOf = (length = 0, fill = 'x') =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(length, fill)])
