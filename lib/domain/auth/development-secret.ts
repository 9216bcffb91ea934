import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { makePrivateFolder } from '../../base/system/make-private-folder.ts'

const FILE = 'jwt-secret'
const OWNER_ONLY = 0o600
const SHORTEST = 32

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret.length < SHORTEST) {
      throw new StartError(`${path} is no secret of at least ${SHORTEST} characters: delete it, and one is made`)
    }
    // A secret in a copied folder may be readable by others; on a file system without modes this does nothing.
    await chmod(path, OWNER_ONLY).catch(() => {})
    return secret
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** A link appears whole or not at all, and never replaces one: of several processes, all end with the first one's secret. */
async function makeSecret(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const secret = randomBytes(48).toString('base64url')
  try {
    await writeFile(draft, `${secret}\n`, { flag: 'wx', mode: OWNER_ONLY, flush: true })
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The secret that signs access tokens: `JWT_SECRET`, or in development one that is made once and kept in `DATA_DIR`.
 * @throws StartError when the kept one cannot be used
 */
export async function resolveJwtSecret({ jwtSecret, dataDir }: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string> {
  if (jwtSecret !== undefined) return jwtSecret
  const path = join(dataDir, FILE)
  try {
    const kept = await readSecret(path)
    if (kept !== undefined) return kept
    await makePrivateFolder(dataDir)
    await makeSecret(path)
    const made = await readSecret(path)
    if (made === undefined) throw new StartError(`${path} vanished while the service started`)
    return made
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The development secret cannot be kept: ${error instanceof Error ? error.message : error}`)
  }
}
