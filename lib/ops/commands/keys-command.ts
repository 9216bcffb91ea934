import { completeKeys } from '../../domain/catalogue/keys/make-keys.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run keys',
  options: {},
  read: ({ words }) => (words.length === 0 ? {} : null),

  async run({ db, show }) {
    const totals = {
      games: await db.games.estimatedDocumentCount(),
      characters: await db.characters.estimatedDocumentCount(),
    }
    const made = await completeKeys(db, {
      isAll: true,
      onProgress: (kind, read) => show(() => `${kind}: ${read} of ${totals[kind]} read`),
    })
    return `Keys made anew of ${made.games} games and ${made.characters} characters; all others were right`
  },
})
