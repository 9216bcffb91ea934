import { createHmac } from 'node:crypto'

const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

const HASH_OF: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

/** Signs any claims, and with any header, as no honest issuer would. A claims or header text is taken as it is. */
export function signToken(claims: unknown, secret: string, header: unknown = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${encode(header)}.${encode(claims)}`
  const alg = typeof header === 'object' && header !== null && 'alg' in header ? String(header.alg) : ''
  const signature = createHmac(HASH_OF[alg] ?? 'sha256', secret)
    .update(signed)
    .digest('base64url')
  return `${signed}.${signature}`
}
