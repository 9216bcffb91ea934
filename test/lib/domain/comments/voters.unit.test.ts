import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { packVoters } from '#lib/domain/comments/discussion-page'

const [VOTER, OTHER, STRANGER] = [new ObjectId(), new ObjectId(), new ObjectId()]

it.each([
  { ids: undefined, found: [] },
  { ids: null, found: [] },
  { ids: 'nobody', found: [] },
  { ids: [VOTER, OTHER], found: [VOTER, OTHER] },
  { ids: ['an odd one', null, VOTER, 7], found: [VOTER] },
])('the text of $ids contains the hex of each voter, and of nobody else', ({ ids, found }) => {
  const voters = packVoters(ids)
  expect([VOTER, OTHER, STRANGER].filter((id) => voters.includes(id.toHexString()))).toEqual(found)
})
