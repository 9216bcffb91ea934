import fc from 'fast-check'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { isVoter, packVoters } from '#lib/domain/comments/discussion-page'

const ODD = new ObjectId()

const ids = fc.uniqueArray(fc.uint8Array({ minLength: 12, maxLength: 12 }), {
  maxLength: 1_001,
  selector: String,
  size: 'max',
})

it('isVoter finds each voter, and nobody else', () => {
  fc.assert(
    fc.property(ids, fc.nat(), (drawn, split) => {
      const all = drawn.map((bytes) => new ObjectId(bytes))
      const count = split % (all.length + 1)
      const [voters, others] = [all.slice(0, count), all.slice(count)]
      const packed = packVoters(voters)

      expect(packed).toHaveLength(12 * count)
      expect(voters.filter((id) => !isVoter(packed, id))).toEqual([])
      expect(others.filter((id) => isVoter(packed, id))).toEqual([])
    }),
    { numRuns: 20, seed: 1 },
  )
})

it('does not take the end of one id and the beginning of the next for a third', () => {
  const bytes = Buffer.from('0102030405060708090a0b0c0d0e0f101112131415161718', 'hex')
  const between = new ObjectId(bytes.subarray(5, 17))
  const packed = packVoters([new ObjectId(bytes.subarray(0, 12)), new ObjectId(bytes.subarray(12)), between])

  expect(isVoter(packed.subarray(0, 24), between)).toBe(false)
  expect(isVoter(packed, between)).toBe(true)
})

it.each([
  { ids: undefined, found: false },
  { ids: null, found: false },
  { ids: 'nobody', found: false },
  { ids: ['an odd one', null, 7, ODD], found: true },
])('reads past what is no id: $ids', ({ ids, found }) => {
  expect(isVoter(packVoters(ids), ODD)).toBe(found)
})
