import { access, constants } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

/** Lists the executable files of a name on a search path, in order, as absolute paths. */
export async function listOnPath(name: string, searchPath: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of searchPath.split(delimiter).filter((folder) => folder !== '')) {
    const path = resolve(folder, name)
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) found.push(path)
  }
  return found
}
