import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../system/has-code.ts'
import { makePrivateFolder } from '../system/make-private-folder.ts'
import { parseJson } from '../values/parse-json.ts'
import { findStartToken } from './process-identity.ts'

const Holder = z.object({ pid: z.int().positive(), startToken: z.string(), role: z.enum(['service', 'command']) })
export type Holder = z.infer<typeof Holder>

export type LockAttempt = { release: () => Promise<void>; holder?: never } | { release?: never; holder: Holder }

/**
 * Takes a data folder for this process, or tells which living process has it.
 *
 * Each holder links a file with the next higher number; the highest counts. So a stale file is never deleted before it is
 * succeeded, and of several that succeed it at once only one can create the number.
 */
export async function takeDataDirLock(dataDir: string, role: Holder['role']): Promise<LockAttempt> {
  const folder = join(dataDir, 'lock')
  await makePrivateFolder(folder)
  const startToken = (await findStartToken(process.pid)) ?? ''
  const draft = join(folder, `draft-${randomUUID()}`)

  for (;;) {
    const last = await findLast(folder)
    const holder = await readLivingHolder(join(folder, String(last)))
    if (holder !== undefined) return { holder }

    const own = join(folder, String(last + 1))
    await writeFile(draft, JSON.stringify({ pid: process.pid, startToken, role } satisfies Holder))
    const isLinked = await link(draft, own).then(
      () => true,
      (error: unknown) => {
        // ENOENT: whoever won meanwhile swept the draft away.
        if (hasCode(error, 'EEXIST', 'ENOENT')) return false
        throw error
      },
    )
    await rm(draft, { force: true })
    if (!isLinked) continue
    // Somebody slower than a whole life of the next holder may have linked a number that was used before.
    if ((await findLast(folder)) !== last + 1) {
      await rm(own, { force: true })
      continue
    }
    await sweep(folder, String(last + 1))
    return { release: () => release(own) }
  }
}

/** The number stays, or it could be given twice; an empty file names nobody. A file that was deleted is not made again. */
async function release(own: string): Promise<void> {
  try {
    await truncate(own)
  } catch (error) {
    // The lock is released when its file is gone, or the whole folder.
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function findLast(folder: string): Promise<number> {
  const numbers = (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
  return Math.max(0, ...numbers)
}

async function readLivingHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const holder = Holder.safeParse(parseJson(text)).data
  if (holder === undefined) return undefined
  return (await findStartToken(holder.pid)) === holder.startToken ? holder : undefined
}

async function sweep(folder: string, own: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== own) await rm(join(folder, name), { force: true })
  }
}
