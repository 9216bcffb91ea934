/** Escapes a text for a pattern that matches it literally. A NUL needs an escape of its own in MongoDB. */
export const escapePattern = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replaceAll('\0', '\\x00')
