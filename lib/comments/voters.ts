import { ObjectId } from 'mongodb'

/** Ids of users, 12 bytes each. */
export type Voters = Buffer

const ID_BYTES = 12

/** Whatever else another program stored among the ids is nobody's vote. */
export const packVoters = (ids: unknown): Voters =>
  Buffer.concat(Array.isArray(ids) ? ids.flatMap((each) => (each instanceof ObjectId ? [each.id] : [])) : [])

export function isVoter(voters: Voters, { id }: ObjectId): boolean {
  let at = voters.indexOf(id)
  // The end of one id and the beginning of the next may read as a third.
  while (at % ID_BYTES > 0) at = voters.indexOf(id, at + 1)
  return at >= 0
}
