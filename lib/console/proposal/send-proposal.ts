import type { CallInput } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { isObject } from './fields.ts'

type Body = NonNullable<CallInput<'POST /requests'>['body']>

/** The service orders the keys of what it stores by itself. */
const sortKeys = (_: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value

/** Sends a proposal, unless the same one waits already: the answer to an earlier attempt may have been lost. */
export async function sendProposal(body: Body): Promise<void> {
  const { kind, action, targetId = null, payload, sources = [], note = null } = body
  const proposed = JSON.stringify({ kind, action, targetId, payload, sources, note }, sortKeys)
  const { results } = await hall.call('GET /requests/mine')
  const isStored = results.some(({ status, kind, action, targetId, payload, sources, note }) => {
    const stored = JSON.stringify({ kind, action, targetId, payload, sources, note }, sortKeys)
    return status === 'pending' && stored === proposed
  })
  if (!isStored) await hall.call('POST /requests', { body })
}
