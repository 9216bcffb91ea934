import { hash, verify } from '@node-rs/argon2'

/** Of a password nobody knows, with the parameters of `hashPassword`. */
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$oN+qbTedOylO/4JTCmwqPg$O6+Q4BUJPFZqFVwR89IEc1a+A1TELY+7qxRcez3mkIU'

/** Hashes a password with argon2id. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/**
 * Whether a password is the one that was hashed. Without a hash, or with one that cannot be read, the answer is no, and it
 * takes as long.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  try {
    if (passwordHash !== undefined) return await verify(passwordHash, password)
  } catch {
    // Not a hash that argon2 knows; go on as if there were none.
  }
  await verify(NOBODYS_HASH, password)
  return false
}
