import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { Character } from '#lib/contract/catalogue'
import { buildCharacterKeys } from '#lib/domain/catalogue/characters/insert-characters'
import { insertCharacter } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const at = new Date('2024-02-29T12:00:00.000Z')
const [id, gameId] = [new ObjectId(), new ObjectId()]
const facts = {
  name: 'Frog',
  slug: 'frog',
  akas: ['カエル', 'Glenn'],
  gender: 'Male',
  species: 'Frog',
  countryName: 'Guardia',
  description: 'A knight',
  mugShot: 'https://example.com/f',
}

const service = await useService()
const dates = { createdAt: at, updatedAt: at }
await insertCharacter(service.db, { _id: id, ...facts, ...buildCharacterKeys(facts), gameIds: [gameId], ...dates })
await insertCharacter(service.db, { name: 'Magus', slug: 'magus' })

test.each([id.toHexString(), id.toHexString().toUpperCase(), 'frog', 'Frog'])(
  '200 with the whole character without derived keys: %s',
  async (idOrSlug) => {
    const answer = await service.guest.get(`/characters/${idOrSlug}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      _id: id.toHexString(),
      ...facts,
      gameIds: [gameId.toHexString()],
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    })
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(Character.shape).sort())
  },
)

test('200: an unknown field is absent, except the mug shot', async () => {
  const { body } = await service.guest.get('/characters/magus')
  expect(Object.keys(body).sort()).toEqual(['_id', 'createdAt', 'mugShot', 'name', 'slug', 'updatedAt'])
  expect(body.mugShot).toBeNull()
})
