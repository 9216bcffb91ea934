/** 24 hexadecimal characters, in any case; the source of a pattern that stands alone or within another. */
export const OBJECT_ID = '[0-9a-fA-F]{24}'

const WHOLE = new RegExp(`^${OBJECT_ID}$`)

export const isObjectId = (text: string) => WHOLE.test(text)
