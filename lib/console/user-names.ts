import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { hall, settle } from './hall.ts'

const names = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()

async function readName(userId: string): Promise<void> {
  if (asked.has(userId)) return
  asked.add(userId)
  const answer = await settle(hall.call('GET /user/:id', { params: { id: userId } }))
  if (answer.ok) names.value = new Map(names.value).set(userId, answer.value.userName)
  else if (answer.error.status === 404) names.value = new Map(names.value).set(userId, 'Deleted user')
  else asked.delete(userId)
}

/** The name of a user, asked for once; dots while it is awaited. */
export function useUserName(userId: string | null | undefined): string {
  useEffect(() => {
    if (userId) void readName(userId)
  }, [userId])
  return (userId && names.value.get(userId)) || '…'
}
