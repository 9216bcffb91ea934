import { randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'
import { makePrivateFolder } from '../../base/system/make-private-folder.ts'

const FILE = 'jwt-secret'
const OWNER_ONLY = 0o600
const MIN_LENGTH = 32

async function readSecret(path: string): Promise<string> {
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < MIN_LENGTH) {
    throw new StartError(`${path} has fewer than ${MIN_LENGTH} characters: delete it, and a new secret is created`)
  }
  // A copied folder may leave the secret readable by others. File systems without modes ignore the call.
  await chmod(path, OWNER_ONLY).catch(() => {})
  return secret
}

/** Creates the secret by a link, which is atomic and never replaces a file: concurrent processes share the first secret. */
async function createSecret(path: string): Promise<void> {
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
 * Returns the secret that signs access tokens: `JWT_SECRET`, or in development a generated one, stored in `DATA_DIR`.
 * @throws StartError when the stored secret cannot be used
 */
export async function resolveJwtSecret({ jwtSecret, dataDir }: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string> {
  if (jwtSecret !== undefined) return jwtSecret
  const path = join(dataDir, FILE)
  try {
    return await readSecret(path).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
      await makePrivateFolder(dataDir)
      await createSecret(path)
      return await readSecret(path)
    })
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The development secret cannot be stored: ${error instanceof Error ? error.message : error}`)
  }
}
