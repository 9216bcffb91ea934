/** The source of a pattern for 24 hexadecimal characters in any case, alone or within another pattern. */
export const OBJECT_ID = '[0-9a-fA-F]{24}'

const WHOLE = new RegExp(`^${OBJECT_ID}$`)

export const isObjectId = (text: string) => WHOLE.test(text)
