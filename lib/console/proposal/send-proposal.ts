import type { CallInput } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { isObject } from './fields.ts'

type Body = NonNullable<CallInput<'POST /requests'>['body']>

/** Sorts the keys of objects, because the service stores them in another order. */
const sortKeys = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value

const toComparable = ({ kind, action, targetId = null, payload, sources = [], note = null }: Body) =>
  JSON.stringify({ kind, action, targetId, payload, sources, note }, sortKeys)

/** Sends a proposal, unless the same one waits already: the answer to an earlier attempt may have been lost. */
export async function sendProposal(body: Body): Promise<void> {
  const { results } = await hall.call('GET /requests/mine')
  const pending = results.filter(({ status }) => status === 'pending')
  // A stored proposal has the fields of the one that was sent.
  const isStored = pending.some((stored) => toComparable(stored as Body) === toComparable(body))
  if (!isStored) await hall.call('POST /requests', { body })
}
