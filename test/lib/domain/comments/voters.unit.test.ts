import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { isVoter, packVoters } from '#lib/domain/comments/discussion-page'
import { randomFrom } from '../../../support/tools/random.ts'

const ODD = new ObjectId()

it.each([0, 1, 2, 3, 100, 1_001])('finds each of %i voters, and nobody else', (count) => {
  const random = randomFrom(count + 1)
  const newId = () => new ObjectId(Buffer.from(Array.from({ length: 12 }, () => Math.floor(random() * 256))))
  const [voters, others] = [Array.from({ length: count }, newId), Array.from({ length: 100 }, newId)]
  const packed = packVoters(voters)

  expect(packed).toHaveLength(12 * count)
  expect(voters.every((id) => isVoter(packed, id))).toBe(true)
  expect(others.some((id) => isVoter(packed, id))).toBe(false)
})

it('does not take the end of one id and the beginning of the next for a third', () => {
  const bytes = Buffer.from('0102030405060708090a0b0c0d0e0f101112131415161718', 'hex')
  const between = new ObjectId(bytes.subarray(5, 17))
  const packed = packVoters([new ObjectId(bytes.subarray(0, 12)), new ObjectId(bytes.subarray(12)), between])

  expect(isVoter(packed.subarray(0, 24), between)).toBe(false)
  expect(isVoter(packed, between)).toBe(true)
})

it('takes a missing list for an empty one', () => {
  expect(isVoter(packVoters(undefined), new ObjectId())).toBe(false)
})

it.each([
  { ids: null, found: false },
  { ids: 'nobody', found: false },
  { ids: ['an odd one', null, 7, ODD], found: true },
])('reads past what is no id: $ids', ({ ids, found }) => {
  expect(isVoter(packVoters(ids), ODD)).toBe(found)
})
