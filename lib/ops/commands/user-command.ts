import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../base/errors.ts'
import { closeAccount } from '../../domain/accounts/close-account.ts'
import { FEED_LIVE_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { ANY_CASE } from '../../infrastructure/db/collections/users.ts'
import { readName, runCommand } from './run-command.ts'

await runCommand({
  usage: 'npm run user -- delete <userName>',
  options: {},
  read: ({ words: [verb, ...words] }) => (verb === 'delete' ? readName(words, (userName) => ({ userName })) : null),

  async run(deps, { userName }) {
    const user = await deps.db.users.findOne({ userName }, { collation: ANY_CASE, projection: { userName: 1 } })
    const closed = user && (await closeAccount(deps, { filter: { _id: user._id }, isRecorded: true }))
    if (closed === null) throw new StartError(`There is no user ${userName}`)
    await sleep(FEED_LIVE_MS)
    return `The account of ${user?.userName} is closed. The running service erases the rest within 20 seconds, or the next start does`
  },
})
