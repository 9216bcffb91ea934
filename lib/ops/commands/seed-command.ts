import { prepareDatabase } from '../../infrastructure/db/connect.ts'
import { fillFirstData } from '../seed/fill-first-data.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run seed [-- --demo]',
  options: { demo: { type: 'boolean' } },
  database: { mustExist: false },
  read: ({ words, values: { demo = false } }) => (words.length === 0 ? { isDemo: demo } : null),

  async run({ db, config, uri }, { isDemo }) {
    const lines: string[] = []
    await prepareDatabase(uri, { print: (line) => console.error(line) })
    await fillFirstData({ db, config, print: (line) => lines.push(line), isAutomatic: false, isDemo })
    return lines.join('\n')
  },
})
