import type { Session } from './session.ts'

/** Calls back when somebody else is signed in than before, or nobody. Returns how to end it. */
export function onUserChange(
  { get, subscribe }: Pick<Session, 'get' | 'subscribe'>,
  run: (userId: string | undefined, before: string | undefined) => void,
): () => void {
  let known = get().user?.userId
  return subscribe(() => {
    const before = known
    known = get().user?.userId
    if (known !== before) run(known, before)
  })
}
