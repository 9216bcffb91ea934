import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { runCommand } from '../../../support/processes/run-command.ts'
import { newDatabaseUri } from '../../../support/service/database-pool.ts'
import { dropDatabase } from '../../../support/service/drop-database.ts'
import { BUSY_MACHINE_MS, startService, type TestService } from '../../../support/service/start-service.ts'

// Each command is a process of its own.

const uri = newDatabaseUri()
const PRODUCTION = {
  NODE_ENV: 'production',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  PUBLIC_URL: 'https://api.games.example',
  CORS_ORIGINS: 'https://games.example',
}
let service: TestService
let reader: Caller
let bystander: Caller

beforeAll(async () => {
  service = await startService({ mongodbUri: uri, timeoutMs: BUSY_MACHINE_MS })
  reader = await service.caller({ userName: 'Jane Reader' })
  bystander = await service.caller({ userName: 'bystander' })
})
afterAll(async () => {
  await service.close()
  await dropDatabase(uri)
})

const admin = (args: string[], env: Record<string, string> = {}) =>
  runCommand('admin-command', args, { MONGODB_URI: uri, ...env })

const idOf = ({ id }: Caller) => new ObjectId(id)

/** Asks an endpoint for admins. */
const isAdmin = async (caller: Caller) => (await caller.get('/comments/reported')).status === 200

const rolesOf = async (caller: Caller) => (await service.db.users.findOne({ _id: idOf(caller) }))?.roles

describe('npm run admin', () => {
  it('gives a stored user the role, in any case of the name, and takes it again; the open session feels both', async () => {
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

  it('works in production, twice, and for a user stored without roles', async () => {
    await service.db.users.updateOne({ _id: idOf(bystander) }, { $unset: { roles: 1 } })
    expect((await admin(['bystander'], PRODUCTION)).code).toBe(0)
    expect((await admin(['bystander'], PRODUCTION)).code).toBe(0)
    expect(await rolesOf(bystander)).toEqual(['user', 'admin'])
    expect(await service.db.staffActions.countDocuments({ 'target.id': bystander.id })).toBe(1)
  })

  it.each([
    ['an unknown user', ['nobody'], 'There is no user nobody\n'],
    ['no user', [], 'Usage: npm run admin -- <userName> [--revoke]\n'],
    ['an empty user', [' '], 'Usage: npm run admin -- <userName> [--revoke]\n'],
    ['two users', ['a', 'b'], 'Usage: npm run admin -- <userName> [--revoke]\n'],
    ['an unknown option', ['a', '--grant'], 'Usage: npm run admin -- <userName> [--revoke]\n'],
  ])('says in one line what is wrong with %s, exit 1', async (_, args, stderr) => {
    expect(await admin(args)).toEqual({ code: 1, stdout: '', stderr })
  })

  it('says in one line that the database cannot be reached, exit 1', async () => {
    const end = await admin(['Jane Reader'], { MONGODB_URI: 'mongodb://127.0.0.1:1/' })
    expect(end).toEqual({ code: 1, stdout: '', stderr: 'The database cannot be reached\n' })
  })

  it('says in one line which variable is wrong, exit 1', async () => {
    const end = await admin(['Jane Reader'], { MONGODB_URI: 'postgres://x' })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(/^MONGODB_URI .*\n$/)
  })
})
