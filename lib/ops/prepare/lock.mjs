import { mkdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot } from './folder.mjs'
import { say } from './say.mjs'

const STALE_MS = 60_000
export const LOCK_NAME = '.prepare.lock'
const LOCK = inRoot('dist', LOCK_NAME)

function isAlive(processId) {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** A process id alone may belong to somebody else by now, so a lock must also be fresh. */
function isHeld(owners) {
  const isFresh = Date.now() - statSync(LOCK).mtimeMs < STALE_MS
  return isFresh && (owners === '' || owners.split(' ').some((id) => isAlive(Number(id))))
}

function tryLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/** Answers whether the lock is out of the way. */
function dropStaleLock() {
  try {
    const owners = readFileSync(LOCK, 'utf8')
    if (isHeld(owners)) return false
    // Taken aside rather than deleted: somebody else may have replaced the stale lock in the meantime.
    const aside = `${LOCK}.${process.pid}`
    renameSync(LOCK, aside)
    if (readFileSync(aside, 'utf8') === owners) unlinkSync(aside)
    else renameSync(aside, LOCK)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}

/** Waits until no other start works in this folder, and keeps others out until this process ends. */
export async function holdLock() {
  mkdirSync(inRoot('dist'), { recursive: true })
  let isTold = false
  while (!tryLock()) {
    if (dropStaleLock()) continue
    if (!isTold) say('Waiting for another start in this folder …\n')
    isTold = true
    await sleep(100)
  }
  process.once('exit', () => rmSync(LOCK, { force: true }))
}

/** Keeps the lock fresh. The program at work is named in it, too: it may outlive this process when that is killed. */
export function markLock(programId) {
  mkdirSync(inRoot('dist'), { recursive: true })
  writeFileSync(LOCK, `${process.pid} ${programId}`)
}
