import { FOLDERS, type ObjectKey, type Storage, StorageError } from './storage.ts'

const KEY = new RegExp(`^(${FOLDERS.join('|')})/[0-9a-f]{24}/[0-9a-f]{24}$`)

/** True when a text is the key of an object. The storage looks up nothing else. */
export const isObjectKey = (text: string): text is ObjectKey => KEY.test(text)

/** @throws StorageError when somebody got round the type */
export function assertObjectKey(key: ObjectKey): void {
  if (!isObjectKey(key)) throw new StorageError('This is not the key of a stored image')
}

/** How a storage whose objects lie below one address names them. */
export const createAddresses = (base: string): Pick<Storage, 'addressOf' | 'keyOf'> => ({
  addressOf: (image) => (isObjectKey(image) ? `${base}/${image}` : image),

  keyOf(address) {
    const key = address.startsWith(`${base}/`) ? address.slice(base.length + 1) : ''
    return isObjectKey(key) ? key : undefined
  },
})
