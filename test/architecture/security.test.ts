import { sign } from 'hono/jwt'
import { expect, test } from 'vitest'
import { createKey } from '#lib/domain/service-keys/create-key'
import { KEY_SCOPES } from '#lib/infrastructure/db/collections/service-keys'
import { type LoadedFunction, loadFunctions } from '../../lib/web/http/load-functions.ts'
import { FOREIGN_SITE, useService } from '../support/service/start-service.ts'

const functions = await loadFunctions()
const named = (chosen: LoadedFunction[]) =>
  chosen.map((loaded) => ({ name: `${loaded.method} ${loaded.path}`, ...loaded }))
const guarded = named(functions.filter(({ definition: { auth } }) => ['user', 'admin', 'key'].includes(auth)))
const open = named(functions.filter(({ definition: { auth } }) => auth === 'public' || auth === 'optional'))
const forAdmins = named(functions.filter(({ definition: { auth } }) => auth === 'admin'))
const keyed = named(functions.filter(({ definition: { scope } }) => scope !== undefined))
const sessionOnly = named(guarded.filter(({ definition: { scope } }) => scope === undefined))
const changing = named(functions.filter(({ method }) => method !== 'GET'))

const service = await useService()
const user = await service.caller()
const admin = await service.caller({ isAdmin: true })
const keys = new Map(
  await Promise.all(
    KEY_SCOPES.map(async (scope) => [scope, await createKey(service.deps, { name: scope, scopes: [scope] })] as const),
  ),
)

/** Sends a request of which the address alone is right, so that the caller must be refused first. */
function ask({ method, path }: LoadedFunction, headers: Record<string, string>) {
  return fetch(service.baseUrl + path.replace(/:\w+/g, 'malformed'), {
    method,
    headers: { 'content-type': 'text/plain', ...headers },
    ...(method !== 'GET' && { body: 'malformed' }),
  })
}

test.each(guarded)('401 without a session: $name', async (loaded) => {
  const answer = await ask(loaded, {})

  expect(answer.status).toBe(401)
  expect(await answer.json()).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' })
})

test.each(forAdmins)('403 below the role, whatever the token claims: $name', async (loaded) => {
  const claims = { sub: user.id, exp: Math.floor(Date.now() / 1000) + 60, roles: ['admin'] }
  const boast = `accessSessionToken=${await sign(claims, service.deps.jwtSecret)}`

  for (const cookie of [user.cookie, boast]) {
    const answer = await ask(loaded, { cookie })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual({ statusCode: 403, error: 'Forbidden', message: 'Forbidden' })
  }
  expect((await ask(loaded, { cookie: admin.cookie })).status).not.toBe(403)
})

test.each(sessionOnly)('401 for a service key, whatever its scope: $name', async (loaded) => {
  for (const key of keys.values()) {
    expect((await ask(loaded, { authorization: `Bearer ${key}` })).status).toBe(401)
  }
})

test.each(keyed)(
  '401 for an unknown service key, 403 for one of another scope, also beside a session: $name',
  async (loaded) => {
    for (const [scope, key] of keys) {
      const { status } = await ask(loaded, { cookie: admin.cookie, authorization: `Bearer ${key}` })
      if (scope === loaded.definition.scope) expect([401, 403]).not.toContain(status)
      else expect(status).toBe(403)
    }
    const unknown = `Bearer ghk_${'x'.repeat(43)}`
    expect((await ask(loaded, { cookie: admin.cookie, authorization: unknown })).status).toBe(401)
  },
)

test.each(open)(
  'no 403 without a session, or with a bad one, and 401 for a wrong secret alone: $name',
  async (loaded) => {
    const headers = { 'content-type': 'application/json' }
    const isAboutSecrets = loaded.definition.errors.includes('UNAUTHORIZED')

    for (const cookie of ['', 'accessSessionToken=nonsense']) {
      const { status } = await ask(loaded, { ...headers, cookie })
      expect(status).not.toBe(403)
      if (!isAboutSecrets) expect(status).not.toBe(401)
    }
  },
)

test.each(changing)('403 for a page of another site, with a session or without: $name', async (loaded) => {
  for (const cookie of ['', admin.cookie]) {
    expect((await ask(loaded, { cookie, origin: FOREIGN_SITE })).status).toBe(403)
  }
})

test('the lists above have every function', () => {
  expect(guarded.length + open.length).toBe(functions.length)
  expect(guarded.length).toBeGreaterThan(8)
  expect(forAdmins.length).toBeGreaterThan(1)
})
