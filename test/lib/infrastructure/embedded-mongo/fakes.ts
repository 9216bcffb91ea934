import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function writeScript(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

/** Something that answers `--version` as a mongod does. */
export const fakeMongod = (version: string) => `echo "db version v${version}"`

export function keepLines() {
  const lines: string[] = []
  return { lines, log: { info: (line: string) => void lines.push(line) } }
}
