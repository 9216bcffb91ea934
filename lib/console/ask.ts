import { settle } from './hall.ts'
import { onSessionEnded } from './session.ts'

/** Settles a call. Where the session has ended, the sign-in dialog opens over the view. */
export const ask: typeof settle = async (promise) => {
  const answer = await settle(promise)
  if (!answer.ok && answer.error.status === 401) onSessionEnded()
  return answer
}
