/** A text as a pattern that matches it as it stands. A NUL cannot stand in a pattern of MongoDB as itself. */
export const escapePattern = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&').replaceAll('\0', '\\x00')
