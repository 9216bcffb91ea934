import { setMaxListeners } from 'node:events'

/** Aborts a controller with another signal, which any number may follow. @returns what ends that */
export function linkAbort(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {}
  setMaxListeners(0, signal)
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return () => signal.removeEventListener('abort', follow)
}
