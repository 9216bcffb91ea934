import { readFile } from 'node:fs/promises'
import { DomainError } from '../../base/errors.ts'
import { hasCode } from '../../base/system/has-code.ts'

/** The build writes it beside the compiled service. Sources run one folder higher. */
const TARBALL = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/client.tgz' : '../../../client.tgz',
  import.meta.url,
)

/** Reads the client's tarball of this version. @throws DomainError NOT_FOUND before any build */
export async function loadClientPackage(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(TARBALL))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new DomainError('NOT_FOUND', 'The client has not been built')
    throw error
  }
}
