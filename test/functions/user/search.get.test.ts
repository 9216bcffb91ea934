import { expect, test } from 'vitest'
import { profile } from '../../support/clients/profile.ts'
import { useService } from '../../support/service/start-service.ts'

const search = (text: string) => service.guest.get(`/user/search?searchString=${encodeURIComponent(text)}`)

const service = await useService()
const alice = await service.caller({ userName: 'Alice' })
for (const userName of ['Alicia', 'Alic', 'Al.ce', 'Ålice']) await service.caller({ userName })

test.each(['Alice', 'aLICE', '  alice ', 'Ａｌｉｃｅ'])(
  '200 with the one account named %j in any case',
  async (text) => {
    const answer = await search(text)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual((await service.guest.get(`/user/${alice.id}`)).body)
  },
)

test.each([
  ...['Ali', 'Alice ia', 'A.*', 'al_ce', '.*', '$where', '{"$ne":null}', 'x'.repeat(200), 'ali\u0000ce!'],
  ...['Ali\u200Bce', '\u00ADAlice', 'Alice\u2060'],
])('404 when nobody is named %j', async (text) => {
  const answer = await search(text)
  expect(answer.status).toBe(404)
  expect(answer.body.message).toBe('User not found')
})

test('404 for a name whose stored form has an invisible letter, 200 with it', async () => {
  await service.caller({ userName: 'Ma\u200Bx' })
  expect((await search('max')).status).toBe(404)
  expect((await search('ma\u200BX')).status).toBe(200)
})

test('200 for a name in letters whose cases are not one to one', async () => {
  await service.caller({ userName: 'Οδυσσεύς' })
  expect((await search('ΟΔΥΣΣΕΎΣ')).body.userName).toBe('Οδυσσεύς')
})

test('200 for a name that another program stored decomposed', async () => {
  await service.caller({ userName: 'E\u0301mile' })
  expect((await search('\u00e9mile')).body.userName).toBe('E\u0301mile')
})

test('404 for an e-mail, whether or not it has an account', async () => {
  const stored = await service.db.users.findOne({ userName: 'Alice' })
  expect(stored?.email).toBe('alice@example.com')
  const [known, unknown] = [await search('alice@example.com'), await search('nobody@example.com')]
  expect(known.status).toBe(404)
  expect(known.body).toEqual(unknown.body)
})

test('200: a dot and an accent belong to the name', async () => {
  expect((await search('al.ce')).body.userName).toBe('Al.ce')
  expect((await search('ålice')).body.userName).toBe('Ålice')
})

test('200 from the index, with one key', async () => {
  const commands = await profile(service.db, 'users', () => search('ALICE'))
  expect(commands).toHaveLength(1)
  expect(commands[0]?.planSummary).toMatch(/^IXSCAN/)
  expect(commands[0]?.keysExamined).toBeLessThanOrEqual(2)
})
