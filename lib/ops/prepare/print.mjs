/** Tells a person what happens, apart from what a command prints as its result. */
export const print = (text) => process.stderr.write(text)

/** A problem that is told in a sentence, without a stack. */
export const refusal = (message) => Object.assign(new Error(message), { isRefusal: true })

/** Tells that a task is at work, and how long it took. */
export async function tell(task, work) {
  const start = Date.now()
  print(`${task} …`)
  await work()
  print(` done in ${((Date.now() - start) / 1000).toFixed(1)} s\n`)
}
