import { ObjectId } from 'mongodb'

/** Ids of users, sorted, 12 bytes each. */
export type Voters = Buffer

const ID_BYTES = 12

const NO_VOTERS: Voters = Buffer.alloc(0)

/** Whatever else another program stored among the ids is nobody's vote. */
export function packVoters(ids: unknown): Voters {
  if (!Array.isArray(ids) || ids.length === 0) return NO_VOTERS
  return Buffer.concat(ids.flatMap((each) => (each instanceof ObjectId ? [each.id] : [])).sort(Buffer.compare))
}

export function isVoter(voters: Voters, { id }: ObjectId): boolean {
  let low = 0
  let high = voters.length / ID_BYTES - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const start = middle * ID_BYTES
    const order = voters.compare(id, 0, ID_BYTES, start, start + ID_BYTES)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}
