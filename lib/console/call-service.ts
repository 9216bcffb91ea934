import { type Refusable, type Settled, settle } from './hall.ts'
import { askToSignIn } from './session.ts'

/** Settles a call. A 401 opens the sign-in dialog over the view. */
export async function request<T, S extends number>(call: Refusable<T, S>): Promise<Settled<T, S>> {
  const answer = await settle(call)
  if (!answer.ok && Number(answer.error.status) === 401) askToSignIn()
  return answer
}
