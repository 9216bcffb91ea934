/** True when an error of the system or of the database has one of some codes. */
export function hasCode(error: unknown, ...codes: (string | number)[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
