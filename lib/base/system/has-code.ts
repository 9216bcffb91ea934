/** True when an error is one of the system's or the database's with such a code. */
export function hasCode(error: unknown, ...codes: (string | number)[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
