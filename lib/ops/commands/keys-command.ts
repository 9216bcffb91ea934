import { makeAllKeys } from '../../domain/catalogue/keys/complete-keys.ts'
import { runCommand } from './run-command.ts'

const LINE_EVERY_MS = 2_000

await runCommand({
  usage: 'npm run keys',
  options: {},
  read: ({ words }) => (words.length === 0 ? {} : null),

  async run({ db }) {
    const totals = {
      games: await db.games.estimatedDocumentCount(),
      characters: await db.characters.estimatedDocumentCount(),
    }
    let printedAt = Number.NEGATIVE_INFINITY
    const made = await makeAllKeys(db, {
      onProgress(kind, read) {
        if (performance.now() - printedAt < LINE_EVERY_MS && read < totals[kind]) return
        printedAt = performance.now()
        console.error(`${kind}: ${read} of ${totals[kind]} read`)
      },
    })
    return `Keys made anew of ${made.games} games and ${made.characters} characters; all others were right`
  },
})
