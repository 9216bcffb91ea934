import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { createTokenVerifier, type TokenVerifier } from '#lib/domain/auth/tokens'
import { signToken } from '../../../support/clients/sign-token.ts'

const SECRET = 'a secret of at least thirty-two characters'
const id = new ObjectId().toHexString()
let now = 0
let verify: TokenVerifier

beforeEach(() => {
  now = 1_800_000_000
  verify = createTokenVerifier(SECRET, () => new Date(now * 1000))
})

const subjectOf = async (token: string) => (await verify(token))?.userId.toHexString() ?? null

it('honours exp to the second, for a token seen before, too', async () => {
  const token = signToken({ sub: id, exp: now + 2 }, SECRET)
  expect(await subjectOf(token)).toBe(id)
  now += 1.999
  expect(await subjectOf(token)).toBe(id)
  now += 0.001
  expect(await subjectOf(token)).toBeNull()
})

it('honours nbf, for a token seen before, too', async () => {
  const token = signToken({ sub: id, nbf: now + 1 }, SECRET)
  expect(await subjectOf(token)).toBeNull()
  now += 1
  expect(await subjectOf(token)).toBe(id)
})

it('remembers no token of another secret', async () => {
  const token = signToken({ sub: id }, SECRET)
  expect(await subjectOf(token)).toBe(id)
  expect(await createTokenVerifier('another secret of thirty-two characters', () => new Date())(token)).toBeNull()
  const [head, , signature] = token.split('.')
  const other = Buffer.from(JSON.stringify({ sub: new ObjectId() })).toString('base64url')
  expect(await subjectOf(`${head}.${other}.${signature}`)).toBeNull()
})
