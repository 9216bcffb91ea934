import { expect, test } from 'vitest'
import { completeKeys } from '#lib/domain/catalogue/keys/make-keys'
import { profile } from '../../support/clients/profile.ts'
import { insertCharacter } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const search = (text: string) => service.guest.get(`/characters/search?searchString=${encodeURIComponent(text)}`)
const namesOf = async (text: string) => (await search(text)).body.results.map(({ name }: { name: string }) => name)

const CHARACTERS = [
  { name: 'Samus Aran', slug: 'samus-aran', mugShot: 'https://example.com/s', akas: ['サムス・アラン'] },
  { name: 'Aranea', slug: 'aranea' },
  { name: 'Aran', slug: 'aran' },
  { name: 'Élise', slug: 'elise', akas: ['Aran', 'Princess'] },
  { name: 'Link', slug: 'link' },
]

const service = await useService()
for (const facts of CHARACTERS) await insertCharacter(service.db, facts)
await completeKeys(service.db)

test('200 with the best first and all counted', async () => {
  const { status, body } = await search('aran')
  expect(status).toBe(200)
  expect(body.total).toBe(4)
  expect(await namesOf('aran')).toEqual(['Aran', 'Aranea', 'Élise', 'Samus Aran'])
})

test('200: a row has exactly its fields', async () => {
  const row = { _id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Samus Aran', slug: 'samus-aran' }
  expect((await search('samus')).body).toEqual({
    results: [{ ...row, mugShot: 'https://example.com/s' }],
    total: 1,
  })
  expect((await search('link')).body.results[0].mugShot).toBeNull()
})

test('200 from indexes', async () => {
  const commands = await profile(service.db, 'characters', () => search('samus'))
  expect(commands.length).toBeGreaterThan(0)
  for (const { planSummary, docsExamined } of commands) {
    expect(planSummary).toMatch(/^IXSCAN|^IDHACK/)
    expect(docsExamined).toBeLessThanOrEqual(1)
  }
})
