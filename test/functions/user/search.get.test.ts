import { expect, test } from 'vitest'
import { expectIndexed, profile } from '../../support/clients/profile.ts'
import { useService } from '../../support/service/start-service.ts'

const search = (text: string) => service.guest.get(`/user/search?searchString=${encodeURIComponent(text)}`)

const FOUND = [
  { what: 'with a dot', userName: 'Al.ce', text: 'al.ce' },
  { what: 'with an accent', userName: 'Ålice', text: 'ålice' },
  { what: 'that is stored with an invisible letter', userName: 'Ma\u200Bx', text: 'ma\u200BX' },
  { what: 'in letters whose cases are not one to one', userName: 'Οδυσσεύς', text: 'ΟΔΥΣΣΕΎΣ' },
  { what: 'that another program stored decomposed', userName: 'E\u0301mile', text: '\u00e9mile' },
]

const service = await useService()
const alice = await service.caller({ userName: 'Alice' })
for (const userName of ['Alicia', 'Alic', ...FOUND.map((each) => each.userName)]) await service.caller({ userName })

test.each(['Alice', 'aLICE', '  alice ', 'Ａｌｉｃｅ'])(
  '200 with the one account named %j in any case',
  async (text) => {
    const answer = await search(text)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual((await service.guest.get(`/user/${alice.id}`)).body)
  },
)

test.each(FOUND)('200 for a name $what', async ({ userName, text }) => {
  expect((await search(text)).body.userName).toBe(userName)
})

test.each([
  'Ali',
  'Alice ia',
  'A.*',
  'al_ce',
  '.*',
  '$where',
  '{"$ne":null}',
  'x'.repeat(200),
  'ali\u0000ce!',
  'Ali\u200Bce',
  '\u00ADAlice',
  'Alice\u2060',
  'max',
])('404 when nobody is named %j', async (text) => {
  const answer = await search(text)
  expect(answer.status).toBe(404)
  expect(answer.body.message).toBe('User not found')
})

test('404 for an e-mail, whether or not it has an account', async () => {
  const stored = await service.db.users.findOne({ userName: 'Alice' })
  expect(stored?.email).toBe('alice@example.com')
  const [known, unknown] = [await search('alice@example.com'), await search('nobody@example.com')]
  expect(known.status).toBe(404)
  expect(known.body).toEqual(unknown.body)
})

test('200 from the index, with one key', async () => {
  const commands = await profile(service.db, 'users', () => search('ALICE'))
  expect(commands).toHaveLength(1)
  expectIndexed(commands, { keys: 2 })
})
