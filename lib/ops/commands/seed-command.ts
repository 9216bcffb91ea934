import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { fillFirstData } from '../seed/fill-first-data.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run seed',
  options: {},
  database: { mustExist: false },
  read: ({ words }) => (words.length === 0 ? {} : null),

  async run({ db, config, uri }) {
    const lines: string[] = []
    await prepareDatabase(uri, { print: (line) => console.error(line) })
    await fillFirstData({ db, config, print: (line) => lines.push(line), isAutomatic: false })
    return lines.join('\n')
  },
})
