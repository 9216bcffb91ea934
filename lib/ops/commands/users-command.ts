import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../base/errors.ts'
import { closeAccount } from '../../domain/accounts/close-account.ts'
import { resolveJwtSecret } from '../../domain/auth/development-secret.ts'
import { replacePassword } from '../../domain/auth/replace-password.ts'
import { listSessions } from '../../domain/auth/sessions/list-sessions.ts'
import { FEED_LIVE_MS } from '../../infrastructure/concurrency/timeouts.ts'
import { ANY_CASE, isAdminAt, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import { type CommandDeps, runCommand } from './run-command.ts'

const describeSuspension = ({ suspension }: UserDocument, now: Date) =>
  suspension && (suspension.until === null || suspension.until > now)
    ? `suspended ${suspension.until === null ? 'for good' : `until ${suspension.until.toISOString()}`}`
    : ''

function describeUser(user: UserDocument, now: Date): string {
  const facts = [isAdminAt(now, user) ? 'admin' : '', describeSuspension(user, now)].filter((fact) => fact !== '')
  return [user.userName, `since ${user.createdAt.toISOString().slice(0, 10)}`, ...facts].join(', ')
}

const VERBS = {
  async show(deps: CommandDeps, user: UserDocument) {
    const { _id, email, siteEmail, externalId } = user
    const { results: sessions } = await listSessions(
      { ...deps, verifyToken: async () => null },
      { viewer: user, tokens: { accessTokens: [], refreshTokens: [] } },
    )
    return [
      describeUser(user, deps.clock()),
      `id: ${_id.toHexString()}${externalId === undefined ? '' : `, at the site: ${externalId}`}`,
      `e-mail: ${email ?? siteEmail ?? 'none'}`,
      `comments: ${await deps.db.comments.countDocuments({ userId: _id })}`,
      `requests: ${await deps.db.contentRequests.countDocuments({ userId: _id })}`,
      ...sessions.map(
        ({ device, lastUsedAt, address }) => `session: ${device}, ${lastUsedAt}, ${address ?? 'unknown'}`,
      ),
    ].join('\n')
  },
  async 'sign-out'({ db, config }: CommandDeps, { _id, userName }: UserDocument) {
    if (config.site) throw new StartError('The site makes the sessions of its users, and ends them')
    await replacePassword(db, { filter: { _id }, keptFamilyId: null })
    await sleep(FEED_LIVE_MS)
    return `Every session of ${userName} has ended`
  },
  async delete(deps: CommandDeps, { _id, userName }: UserDocument) {
    const jwtSecret = await resolveJwtSecret(deps.config)
    const closed = await closeAccount({ ...deps, jwtSecret }, { filter: { _id }, isRecorded: true })
    if (closed === null) throw noUser(userName)
    await sleep(FEED_LIVE_MS)
    return `The account of ${userName} is closed. The running service erases the rest within 20 seconds, or the next start does`
  },
}

const noUser = (userName: string) => new StartError(`There is no user ${userName}`)
const isVerb = (verb: string): verb is keyof typeof VERBS => Object.hasOwn(VERBS, verb)

await runCommand({
  usage: 'npm run users -- list | show <userName> | sign-out <userName> | delete <userName>',
  options: {},
  read({ words: [verb = '', userName, ...others] }) {
    if (verb === 'list' && userName === undefined) return { verb: 'list' as const, userName: '' }
    return isVerb(verb) && userName && others.length === 0 ? { verb, userName } : null
  },

  async run(deps, { verb, userName }) {
    const { users } = deps.db
    if (verb === 'list') {
      const all = await users.find({}, { collation: ANY_CASE, sort: { userName: 1 } }).toArray()
      return all.map((user) => describeUser(user, deps.clock())).join('\n') || 'There are no users'
    }
    const user = await users.findOne({ userName }, { collation: ANY_CASE })
    if (user === null) throw noUser(userName)
    return await VERBS[verb](deps, user)
  },
})
