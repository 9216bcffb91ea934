import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot, print } from './folder.mjs'

export const LOCK_NAME = '.prepare.lock'
const LOCK = inRoot('dist', LOCK_NAME)

function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Takes the lock; false while another process holds it. */
function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/**
 * Drops a stale lock: false while its owner runs, true when the caller may try again. Renames before it deletes:
 * another process may have replaced the lock meanwhile.
 */
function dropStale() {
  try {
    const owner = readFileSync(LOCK, 'utf8')
    if (owner.split(' ').some((id) => isAlive(Number(id)))) return false
    const aside = `${LOCK}.${process.pid}`
    renameSync(LOCK, aside)
    if (readFileSync(aside, 'utf8') === owner) rmSync(aside)
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
  while (!take()) {
    if (dropStale()) continue
    if (!isTold) print(`Waiting for another process in this folder … (if there is none, delete dist/${LOCK_NAME})\n`)
    isTold = true
    await sleep(100)
  }
  process.once('exit', () => rmSync(LOCK, { force: true }))
}

/** Names the program at work in the lock, too: it may outlive this process when that is killed. */
export const markLock = (programId) => writeFileSync(LOCK, `${process.pid} ${programId}`)
