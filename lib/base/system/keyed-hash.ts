import { createHmac } from 'node:crypto'

/** Makes a hash that only this installation can make. `purpose` keeps the hashes of one use from serving another. */
export const keyedHash = (secret: string, purpose: string, text: string) =>
  createHmac('sha256', secret).update(`${purpose}\0${text}`).digest('base64url')
