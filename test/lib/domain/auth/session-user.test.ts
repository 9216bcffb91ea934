import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { setAdminRole } from '#lib/domain/auth/admin-role'
import { findSessionUser } from '#lib/domain/auth/session-user'
import { refuseAccessTokens } from '#lib/domain/auth/sessions/token-family'
import { createFamilyId } from '#lib/domain/auth/sessions/tokens'
import { addRoyalGames } from '#lib/domain/royal/royal-list'
import { openClient, untilAnswered } from '../../../support/clients/clients.ts'
import { signToken } from '../../../support/clients/sign-token.ts'
import { insertGame, insertUser } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'
import { untilCaughtUp } from '../../../support/service/until-caught-up.ts'

const service = await useService()
const id = (await insertUser(service.deps, { userName: 'reader' }))._id.toHexString()
const deletedId = new ObjectId().toHexString()

const NAME = 'accessSessionToken'
const now = Math.floor(Date.now() / 1000)
const sign = (claims: unknown, header?: unknown) => signToken(claims, service.deps.jwtSecret, header)
const good = () => sign({ sub: id, exp: now + 600 })
const unsigned = (claims: unknown, alg: string) =>
  `${sign(claims, { alg, typ: 'JWT' }).split('.').slice(0, 2).join('.')}.`

/** Calls an endpoint for signed-in users, which answers 401 without a session, and 400 to an empty body. */
async function isAdmittedByHttp(cookie: string) {
  const headers = { ...(cookie !== '' && { cookie }) }
  const { status } = await service.guest.put('/auth/password', { body: {}, headers })
  expect([400, 401]).toContain(status)
  return status === 400
}

async function isAdmittedByHandshake(cookie: string) {
  const refusal = await untilAnswered(openClient(service.baseUrl, '/royal', cookie === '' ? {} : { cookie }))
  expect([null, 'Unauthorized']).toContain(refusal)
  return refusal === null
}

const ADMITTED: [string, () => string][] = [
  ['a token with the user in sub', () => `${NAME}=${good()}`],
  ['a token with the user in id', () => `${NAME}=${sign({ id, exp: now + 600 })}`],
  ['a token without exp', () => `${NAME}=${sign({ sub: id })}`],
  ['an nbf that has passed', () => `${NAME}=${sign({ sub: id, nbf: now - 1 })}`],
  ['a header without typ', () => `${NAME}=${sign({ sub: id }, { alg: 'HS256' })}`],
  ['other cookies around', () => `theme=dark; ${NAME}=${good()}; lang=en`],
  ['a quoted value', () => `${NAME}="${good()}"`],
  ['a bad cookie of the same name before it', () => `${NAME}=garbage; ${NAME}=${good()}`],
  ['a bad cookie of the same name after it', () => `${NAME}=${good()}; ${NAME}=garbage`],
]

const REFUSED: [string, () => string][] = [
  ['no cookie', () => ''],
  ['another cookie', () => `x${NAME}=${good()}`],
  ['an empty token', () => `${NAME}=`],
  ['two parts', () => `${NAME}=${good().split('.').slice(0, 2).join('.')}`],
  ['no signature', () => `${NAME}=${good().replace(/[^.]*$/, '')}`],
  ['a changed signature', () => `${NAME}=${good().replace(/.{4}$/, 'AAAA')}`],
  ['another secret', () => `${NAME}=${signToken({ sub: id }, 'another secret of thirty-two characters')}`],
  ['alg none', () => `${NAME}=${unsigned({ sub: id }, 'none')}`],
  ['HS384', () => `${NAME}=${sign({ sub: id }, { alg: 'HS384', typ: 'JWT' })}`],
  ['RS256 signed as HS256', () => `${NAME}=${sign({ sub: id }, { alg: 'RS256', typ: 'JWT' })}`],
  ['no alg', () => `${NAME}=${sign({ sub: id }, { typ: 'JWT' })}`],
  ['a list of algorithms', () => `${NAME}=${sign({ sub: id }, { alg: ['HS256'], typ: 'JWT' })}`],
  [
    'a critical extension',
    () => `${NAME}=${sign({ sub: id }, { alg: 'HS256', typ: 'JWT', crit: ['b64'], b64: false })}`,
  ],
  ['a header that is null', () => `${NAME}=${sign({ sub: id }, null)}`],
  ['claims that are no JSON', () => `${NAME}=${sign('{')}`],
  ['claims that are a list', () => `${NAME}=${sign([{ sub: id }])}`],
  ['no user', () => `${NAME}=${sign({})}`],
  ['a user that is an object', () => `${NAME}=${sign({ sub: { $gt: '' } })}`],
  ['a user that is a list', () => `${NAME}=${sign({ sub: [id] })}`],
  ['a user of 12 bytes', () => `${NAME}=${sign({ sub: 'twelve chars' })}`],
  ['an expired token', () => `${NAME}=${sign({ sub: id, exp: now - 1 })}`],
  ['exp in words', () => `${NAME}=${sign({ sub: id, exp: 'never' })}`],
  ['exp beyond all numbers', () => `${NAME}=${sign(`{"sub":"${id}","exp":1e999}`)}`],
  ['nbf to come', () => `${NAME}=${sign({ sub: id, nbf: now + 600 })}`],
  ['nbf in words', () => `${NAME}=${sign({ sub: id, nbf: 'soon' })}`],
  ['a deleted user', () => `${NAME}=${sign({ sub: deletedId })}`],
  ['a token of 5,000 characters', () => `${NAME}=${sign({ sub: id, more: 'x'.repeat(4_000) })}`],
  ['the refresh cookie only', () => `refreshSessionToken=${good()}`],
]

it.each(ADMITTED)('HTTP and handshakes admit %s', async (_, cookieOf) => {
  const cookie = cookieOf()
  expect((await findSessionUser(service.deps, cookie))?._id.toHexString()).toBe(id)
  expect(await isAdmittedByHttp(cookie)).toBe(true)
  expect(await isAdmittedByHandshake(cookie)).toBe(true)
})

it.each(REFUSED)('HTTP and handshakes refuse %s', async (_, cookieOf) => {
  const cookie = cookieOf()
  expect(await findSessionUser(service.deps, cookie)).toBeNull()
  expect(await isAdmittedByHttp(cookie)).toBe(false)
  expect(await isAdmittedByHandshake(cookie)).toBe(false)
})

it('the role comes from the stored user, never from the token: a fresh check reads it, any other by the feed', async () => {
  const { _id } = await insertUser(service.deps, { userName: 'rising' })
  const cookie = `${NAME}=${sign({ sub: _id.toHexString(), roles: ['admin'], role: 'admin', isAdmin: true })}`
  const find = async () => {
    const fresh = await findSessionUser(service.deps, cookie, { isFresh: true })
    await untilCaughtUp(service.deps)
    expect(await findSessionUser(service.deps, cookie)).toEqual(fresh)
    return fresh
  }

  expect(await find()).toMatchObject({ _id, userName: 'rising', isAdmin: false })
  await service.db.users.updateOne({ _id }, { $set: { roles: ['user', 'admin'] } })
  expect(await find()).toMatchObject({ _id, userName: 'rising', isAdmin: true })
  await service.db.users.updateOne({ _id }, { $unset: { roles: 1 } })
  expect((await find())?.isAdmin).toBe(false)
  await service.db.users.deleteOne({ _id })
  expect(await find()).toBeNull()
})

it('findSessionUser tries up to eight well-formed tokens of the name', async () => {
  const forged = `${NAME}=${signToken({ sub: id }, 'another secret of thirty-two characters')}; `
  expect(await findSessionUser(service.deps, `${`${NAME}=garbage; `.repeat(20)}${NAME}=${good()}`)).not.toBeNull()
  expect(await findSessionUser(service.deps, `${forged.repeat(7)}${NAME}=${good()}`)).not.toBeNull()
  expect(await findSessionUser(service.deps, `${forged.repeat(8)}${NAME}=${good()}`)).toBeNull()
})

it('findSessionUser skips a token whose session has ended or whose user is gone', async () => {
  const ended = createFamilyId()
  const { _id } = await insertUser(service.deps, { userName: 'mover' })
  await refuseAccessTokens(service.db, { userId: _id, familyIds: [ended] })
  const tokens = [sign({ sub: deletedId }), sign({ sub: _id.toHexString(), fam: ended, pwd: null }), good()]

  const cookie = tokens.map((token) => `${NAME}=${token}`).join('; ')
  expect((await findSessionUser(service.deps, cookie))?._id.toHexString()).toBe(id)
})

it('findSessionUser never answers a fresh check with a read that began before it', async () => {
  const { _id } = await insertUser(service.deps, { userName: 'wavering' })
  const cookie = `${NAME}=${sign({ sub: _id.toHexString() })}`
  const find = () => findSessionUser(service.deps, cookie, { isFresh: true })
  const others: Promise<unknown>[] = []
  for (let round = 0; round < 20; round++) {
    const isAdmin = round % 2 === 0
    others.push(find(), find())
    await service.db.users.updateOne({ _id }, { $set: { roles: isAdmin ? ['admin'] : [] } })
    others.push(find())
    expect((await find())?.isAdmin).toBe(isAdmin)
  }
  await Promise.all(others)
})

const changedAt = now - 100

it.each([
  ['issued before the last change of the password', { iat: changedAt - 1 }, false],
  ['issued after it', { iat: changedAt + 1 }, true],
  ['that does not say when it was issued', {}, false],
  ['that says it in words', { iat: 'yesterday' }, false],
])('a token of the older issuer, without a family, %s', async (name, claims, isAdmitted) => {
  const { _id } = await insertUser(service.deps, { userName: name.slice(0, 30).replaceAll('.', '') })
  const find = () => findSessionUser(service.deps, `${NAME}=${sign({ id: _id.toHexString(), ...claims })}`)
  expect(await find()).not.toBeNull()

  const stamp = ObjectId.createFromTime(changedAt)
  await service.db.users.updateOne({ _id }, { $set: { passwordChange: { stamp, keptFamilyId: null } } })
  await untilCaughtUp(service.deps)
  expect((await find()) !== null).toBe(isAdmitted)
})

const store = async (roles: unknown) => {
  const user = await insertUser(service.deps, { userName: `odd-${new ObjectId()}` })
  await service.db.users.updateOne({ _id: user._id }, [{ $set: { roles: { $literal: roles } } }])
  return user
}

it.each(['not-administrator', 'admin', { admin: true }, { 0: 'admin', length: 1 }, [['admin']], null])(
  'stored roles %j make nobody an admin; the command adds and removes the role',
  async (roles) => {
    const { cookie, userName } = await store(roles)
    const isAdmin = async () => (await findSessionUser(service.deps, cookie, { isFresh: true }))?.isAdmin
    expect(await isAdmin()).toBe(false)
    const { status } = await service.guest.get('/staff-actions', { headers: { cookie } })
    expect(status).toBe(403)

    expect(await setAdminRole(service.deps, { userName, isAdmin: true })).toBe(userName)
    expect(await isAdmin()).toBe(true)
    await setAdminRole(service.deps, { userName, isAdmin: false })
    expect(await isAdmin()).toBe(false)
  },
)

it('stored roles with `admin` beside odd members make an admin', async () => {
  const { cookie } = await store([5, 'admin', null])
  expect(await findSessionUser(service.deps, cookie, { isFresh: true })).toMatchObject({ isAdmin: true })
})

it('a royal list that is no list reads as empty', async () => {
  const user = await service.caller()
  await service.db.users.updateOne({ _id: new ObjectId(user.id) }, [{ $set: { royalGames: 'x' } }])
  const gameId = (await insertGame(service.db)).toHexString()
  const owner = { user: { _id: new ObjectId(user.id) } }
  const added = await addRoyalGames(service.deps, owner, { gameIds: [gameId], position: 'end' })
  expect(added.royalGames).toEqual([gameId])
})
