import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { fillFirstData } from '../seed/fill-first-data.ts'
import { openCommandDatabase } from './command-database.ts'

try {
  const { db, config, uri, close } = await openCommandDatabase({ mustExist: false })
  try {
    await prepareDatabase(uri, { print: (line) => console.error(line) })
    await fillFirstData({ db, config, print: (line) => console.log(line), isAutomatic: false })
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
