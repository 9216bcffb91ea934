/** Waits for work until a signal is aborted, because not every operation listens to a signal. @throws the signal's reason */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
