import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

export function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
