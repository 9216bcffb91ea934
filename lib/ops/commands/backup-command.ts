import { open, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { StartError } from '../../base/errors.ts'
import { syncPath } from '../../base/system/sync-path.ts'
import { openRaw } from '../../infrastructure/db/connect.ts'
import { createStorage } from '../../infrastructure/storage/create-storage.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { readName, runCommand } from './run-command.ts'

/** Writes a file that only its owner can read, under its name once it is whole. @throws StartError for a folder or a device */
async function writeFile<T>(path: string, write: (sink: Writable) => Promise<T>): Promise<T> {
  const before = await stat(path).catch(() => undefined)
  if (before?.isFile() === false) throw new StartError(`${path} is no file: name one, or - for standard output`)
  const draft = `${path}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    // An earlier draft may be open to others.
    await handle.chmod(0o600)
    const result = await write(handle.createWriteStream({ flush: true }))
    await rename(draft, path)
    await syncPath(dirname(path))
    return result
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

await runCommand({
  usage: 'npm run backup -- <file.tar> [--no-objects]; - writes to standard output',
  options: { 'no-objects': { type: 'boolean' } },
  read: ({ words, values }) => readName(words, (path) => ({ path, hasObjects: !values['no-objects'] })),

  async run({ config, uri, show }, { path, hasObjects }) {
    // Requests of a running service come first.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    const stored = openRaw(uri)
    try {
      // A service may be storing images in the same folder.
      const storage = hasObjects ? createStorage({ ...config, mongodbUri: uri }) : undefined
      console.error(`Backing up ${stored.db.databaseName}`)
      const write = (sink: Writable) => writeBackup({ ...stored, storage, show }, sink)
      const { at, collections, objects, missing } = await (path === '-'
        ? write(process.stdout)
        : writeFile(path, write))
      const documents = Object.values(collections).reduce((sum, count) => sum + count, 0)
      const lines = missing.map((key) => `The storage has no ${key}`)
      lines.push(`Backed up as of ${at}: ${documents} documents, ${objects ?? 'no'} objects`)
      // Standard output may be the file.
      console.error(lines.join('\n'))
      return ''
    } finally {
      await stored.client.close()
    }
  },
})
