/** The environment of a shell: without what npm and the test runner put into this one. */
export function shellEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(npm_|VITEST|TEST|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$)/.test(entry[0]),
  )
  return { ...Object.fromEntries(own), npm_config_prefer_offline: 'true', ...extra }
}
