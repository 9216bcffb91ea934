import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { useDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { insertComment, insertGame } from '../../../support/rows/rows.ts'
import { BUSY_MACHINE_MS, useService } from '../../../support/service/start-service.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  PUBLIC_URL: 'https://api.games.example',
  CORS_ORIGINS: 'https://games.example',
}

const service = await useService()
const uri = service.mongodbUri
const reader = await service.caller({ userName: 'Jane Reader' })
const bystander = await service.caller({ userName: 'bystander' })

const admin = (args: string[], env: Record<string, string> = {}) =>
  runCommand('admin-command', args, { MONGODB_URI: uri, ...env })

const idOf = ({ id }: Caller) => new ObjectId(id)

const isAdmin = async (caller: Caller) => (await caller.get('/comments/reported')).status === 200

const rolesOf = async (caller: Caller) => (await service.db.users.findOne({ _id: idOf(caller) }))?.roles

it('gives and revokes the role of a user, whose name may have any case; open sessions change at once', async () => {
  expect(await isAdmin(reader)).toBe(false)
  expect(await admin(['jane READER'])).toEqual({ code: 0, stdout: 'Jane Reader is an admin now\n', stderr: '' })
  expect(await isAdmin(reader)).toBe(true)
  expect(await isAdmin(bystander)).toBe(false)

  expect(await admin(['Jane Reader', '--revoke'])).toMatchObject({ code: 0, stdout: 'Jane Reader is no admin now\n' })
  expect(await rolesOf(reader)).toEqual(['user'])
  expect(await isAdmin(reader)).toBe(false)

  const target = { kind: 'user', id: reader.id, name: 'Jane Reader' }
  const actions = await service.db.staffActions.find({}, { sort: { at: 1 } }).toArray()
  expect(actions).toEqual([
    expect.objectContaining({ admin: null, action: 'admin-granted', target }),
    expect.objectContaining({ admin: null, action: 'admin-revoked', target }),
  ])
})

it('refuses while the site gives the role, and changes nothing', async () => {
  const env = {
    ACCOUNTS: 'site',
    SIGN_IN_URL: 'https://games.example/sign-in',
    SESSION_CLAIMS: 'id:sub,admin:roles=admin',
  }
  const refused = await admin(['Jane Reader'], { ...env, JWT_SECRET: PRODUCTION.JWT_SECRET })
  expect(refused).toEqual(refusedWith('The site gives the role of admins: see SESSION_CLAIMS\n'))
  expect(await rolesOf(reader)).toEqual(['user'])
})

it('a revoked role counts at once in other processes, also where the change stream is late', async () => {
  const proxy = await useDatabaseProxy(uri)
  const late = await useService({ mongodbUri: uri, feedUri: proxy.uri, timeoutMs: BUSY_MACHINE_MS })
  const taken = await late.caller({ userName: 'Taken', isAdmin: true })
  const gameId = await insertGame(late.db)
  const insert = (facts: { status?: 'hidden'; body?: string; parentId?: ObjectId }) =>
    insertComment(late.db, { gameId, userId: idOf(bystander), ...facts })
  const foreign = await Promise.all(Array.from({ length: 15 }, () => insert({})))
  const parentId = await insert({})
  await Promise.all(Array.from({ length: 5 }, () => insert({ parentId, status: 'hidden', body: '<p>Secret</p>' })))
  const readReplies = async () => JSON.stringify((await taken.get(`/comments/${parentId}/replies?take=50`)).body)
  expect(await readReplies()).toContain('Secret')
  // The session stays in the cache, because its change arrives a second later.
  proxy.delayAnswers(1_000)

  expect((await admin(['Taken', '--revoke'])).code).toBe(0)
  const [read, ...deleted] = await Promise.all([readReplies(), ...foreign.map((id) => taken.delete(`/comments/${id}`))])
  expect(read).not.toContain('Secret')
  expect(deleted.map(({ status }) => status)).toEqual(foreign.map(() => 403))
  expect(await late.db.comments.countDocuments({ status: 'deleted' })).toBe(0)
})

it('works in production, twice, and for a user stored without roles', async () => {
  await service.db.users.updateOne({ _id: idOf(bystander) }, { $unset: { roles: 1 } })
  expect((await admin(['bystander'], PRODUCTION)).code).toBe(0)
  expect((await admin(['bystander'], PRODUCTION)).code).toBe(0)
  expect(await rolesOf(bystander)).toEqual(['user', 'admin'])
  expect(await service.db.staffActions.countDocuments({ 'target.id': bystander.id })).toBe(1)
})

it.each([
  ['an unknown user', ['nobody'], 'There is no user nobody\n'],
  ['an empty user', [' '], 'Usage: npm run admin -- <userName> [--revoke]\n'],
  ['an unknown option', ['a', '--grant'], 'Usage: npm run admin -- <userName> [--revoke]\n'],
])('prints one line about %s, exit 1', async (_, args, stderr) => {
  expect(await admin(args)).toEqual(refusedWith(stderr))
})
