import { expect, test } from 'vitest'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertPlatform } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()

test('200 with all platforms by name in any case, and their ids at sources, from an index', async () => {
  for (const [igdbId, name] of ['Xbox', 'iOS', 'Android', '3DO', 'Game Boy', 'Game Boy Color'].entries()) {
    await insertPlatform(service.db, { name, slug: name.toLowerCase().replaceAll(' ', '-'), igdbId })
  }
  const commands = await profile(service.db, 'platforms', async () => {
    const { status, body } = await service.guest.get('/platforms')
    expect(status).toBe(200)
    expect(body.map(({ name }: { name: string }) => name)).toEqual([
      '3DO',
      'Android',
      'Game Boy',
      'Game Boy Color',
      'iOS',
      'Xbox',
    ])
    expect(body[0]).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: '3DO', slug: '3do', igdbId: 3 })
  })
  expect(commands).toHaveLength(1)
  expectIndexed(commands)
})
