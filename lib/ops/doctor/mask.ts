import { SECRETS } from '../../base/settings.ts'

/** The user and the password of an address. */
const SIGN_IN = /(?<=:\/\/)[^/\s]*@/g

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Creates what hides the secrets of an environment in a text, and the user and the password of any address. */
export function createMask(environment: NodeJS.ProcessEnv): (text: string) => string {
  const values = SECRETS.flatMap((name) => environment[name] || [])
  const passwords = values.flatMap((value) => /:\/\/[^:/]*:([^/]+)@/.exec(value)?.[1] ?? [])
  const secrets = [...values, ...passwords, ...passwords.map(decode)].sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text).replace(SIGN_IN, '***@')
}
