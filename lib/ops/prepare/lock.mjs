import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inRoot } from './folder.mjs'
import { print } from './print.mjs'

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

/** Taken aside rather than deleted: somebody else may have replaced the stale lock in the meantime. */
function dropStaleLock() {
  const owners = readFileSync(LOCK, 'utf8')
  if (owners.split(' ').some((id) => isAlive(Number(id)))) return
  const aside = `${LOCK}.${process.pid}`
  renameSync(LOCK, aside)
  if (readFileSync(aside, 'utf8') === owners) rmSync(aside)
  else renameSync(aside, LOCK)
}

const pass = (code, work) => {
  try {
    work()
    return true
  } catch (error) {
    if (error.code !== code) throw error
    return false
  }
}

/** Waits until no other start works in this folder, and keeps others out until this process ends. */
export async function holdLock() {
  mkdirSync(inRoot('dist'), { recursive: true })
  let isTold = false
  while (!pass('EEXIST', () => writeFileSync(LOCK, String(process.pid), { flag: 'wx' }))) {
    pass('ENOENT', dropStaleLock)
    if (!existsSync(LOCK)) continue
    if (!isTold) print(`Waiting for another start in this folder … (if there is none, delete dist/${LOCK_NAME})\n`)
    isTold = true
    await sleep(100)
  }
  process.once('exit', () => rmSync(LOCK, { force: true }))
}

/** Names the program at work in the lock, too: it may outlive this process when that is killed. */
export const markLock = (programId) => writeFileSync(LOCK, `${process.pid} ${programId}`)
