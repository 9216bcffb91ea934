import { openRaw } from '../../infrastructure/db/connect.ts'
import { createStorage } from '../../infrastructure/storage/create-storage.ts'
import { checkFile } from '../backup/archive.ts'
import { restoreFile } from '../backup/restore-file.ts'
import { openCommandDatabase } from './command-database.ts'
import { readName, runAlone } from './run-command.ts'

const flag = { type: 'boolean' } as const

await runAlone(
  {
    usage: 'npm run restore -- <file.tar> [--check] [--no-objects] [--keep-keys]',
    options: { check: flag, 'no-objects': flag, 'keep-keys': flag },
    read: ({ words, values }) => readName(words, (path) => ({ path, values })),
  },
  async ({ path, values }, show) => {
    const { manifest, hash } = await checkFile(path)
    const { at, app, collections, objects, missing } = manifest
    const documents = Object.values(collections).reduce((sum, count) => sum + count, 0)
    const content = `${documents} documents and ${objects ?? 'no'} objects of ${at}, written by ${app}`
    console.error(`${path} is whole: ${content}; ${missing.length} objects were missing`)
    if (values.check) return ''

    const here = await openCommandDatabase({ mustExist: false, isRestoring: true })
    const stored = openRaw(here.uri)
    try {
      const storage = values['no-objects'] ? undefined : createStorage(here.config)
      const areKeysKept = values['keep-keys'] === true
      await restoreFile({ ...stored, storage, areKeysKept, show }, { path, hash, manifest })
      return `Restored ${content}. All sessions have ended${areKeysKept ? '' : ', and service keys are revoked'}.
Repeat the deletions and suspensions of accounts since ${at}: the file does not know them`
    } finally {
      await stored.client.close()
      await here.close()
    }
  },
)
