/** Tells a person what happens, apart from what a command prints as its result. */
export const say = (text) => process.stderr.write(text)

export const secondsSince = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`

/** A problem that is told in a sentence, without a stack. */
export const refusal = (message) => Object.assign(new Error(message), { isRefusal: true })
